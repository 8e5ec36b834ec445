package kustomization

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/fn/runtime/runtimeutil"

	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/internal/origin"
)

// refuse refuses configurations of what is not run, all of them. Stacks are excused from naming their
// function where kustomize does not run it; why says what makes them need it.
func (b *builder) refuse(configs []config, excused bool, why string) error {
	var wrong []error
	for _, c := range configs {
		if text := b.refusal(c); text != "" && (!excused || !c.isStack()) {
			if c.isStack() {
				text += why
			}
			wrong = append(wrong, fmt.Errorf("%s: %s", b.place(c), text))
		}
	}
	return errors.Join(wrong...)
}

// refusal says why a configuration is not run, or nothing.
func (b *builder) refusal(c config) string {
	if c.builtin() {
		if c.GetKind() == "HelmChartInflationGenerator" {
			return "inferstack runs no helm; render the chart with helm template and list the result"
		}
		return ""
	}
	spec, err := runtimeutil.GetFunctionSpec(&c.RNode)
	what := name(c.CurId())
	switch {
	case err != nil:
		return fmt.Sprintf("%s: %v", what, err)
	case spec == nil && c.misspelt() != "":
		return fmt.Sprintf("%s: kind must be %s or %s (got %q); did you mean %q?", what, stackKind, rewireKind, c.GetKind(), c.misspelt())
	case spec == nil:
		return fmt.Sprintf("%s: %s", what, annotate)
	case spec.Container.Image != "":
		return fmt.Sprintf("%s: runs the image %s; only functions of inferstack are run: use kustomize build", what, spec.Container.Image)
	case spec.Exec.Path != b.opts.Function:
		return fmt.Sprintf("%s: runs the program %s; only functions of inferstack are run: use kustomize build", what, spec.Exec.Path)
	}
	return ""
}

// annotate is what is wrong with a configuration that names no function. No other plugin is run.
const annotate = "no annotation " + runtimeutil.FunctionAnnotationKey + "; what inferstack compiles has it in its metadata: annotations: {" +
	runtimeutil.FunctionAnnotationKey + ": \"exec: {path: inferstack}\"}; what is not compiled is listed under resources, and not in a directory under generators"

// ours reports whether inferstack is what a configuration runs.
func (b *builder) ours(c config) bool { return !c.builtin() && b.refusal(c) == "" }

// builtin reports whether a configuration is that of a plugin of kustomize.
func (c config) builtin() bool {
	gvk := c.GetGvk()
	return gvk.Group == "" && gvk.Version == konfig.BuiltinPluginApiVersion
}

// isStack reports whether a configuration is a stack that names no function.
func (c config) isStack() bool {
	spec, err := runtimeutil.GetFunctionSpec(&c.RNode)
	return err == nil && spec == nil && c.GetKind() == stackKind
}

// misspelt is the kind that a configuration of ours was most likely meant to have.
func (c config) misspelt() string {
	kinds := []string{stackKind, rewireKind}
	if c.GetGvk().Group != group || slices.Contains(kinds, c.GetKind()) {
		return ""
	}
	return cmp.Or(near.Of(c.GetKind(), kinds), stackKind)
}

// place is where the annotation is that makes a function of a configuration, or else where that
// begins, or at least the file.
func (b *builder) place(c config) string {
	data, err := b.files.user(c.file)
	if err != nil {
		return origin.Shown(c.file)
	}
	if c.inline != "" {
		return position(c.file, data, c.inline)
	}
	for _, key := range functionKeys {
		if value := c.GetAnnotations(key)[key]; value != "" {
			return position(c.file, data, value)
		}
	}
	docs, err := documents(data)
	for _, doc := range docs {
		if n := doc.Content[0]; err == nil && krm.Text(n, "kind") == c.GetKind() && krm.Text(n, "metadata", "name") == c.GetName() {
			at := krm.Field(n, "metadata")
			return fmt.Sprintf("%s:%d:%d", origin.Shown(c.file), at.Line, at.Column)
		}
	}
	return origin.Shown(c.file)
}

// quietly keeps for itself what is said on standard error, unless there is an error: what is
// run here is run again.
func quietly(run func() error) error {
	usual := os.Stderr
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	said := make(chan []byte)
	go func() {
		text, _ := io.ReadAll(r)
		said <- text
	}()
	os.Stderr = w
	err = run()
	os.Stderr = usual
	text := <-closed(w, said)
	if err != nil {
		_, wrong := usual.Write(text)
		return errors.Join(err, wrong)
	}
	return nil
}

func closed(w io.Closer, said chan []byte) chan []byte {
	_ = w.Close()
	return said
}
