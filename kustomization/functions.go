package kustomization

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/fn/runtime/runtimeutil"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/imageref"
	"github.com/inferstack/inferstack/internal/krm"
)

// functionKeys are the annotations by which kustomize finds a function
// (kyaml v0.21.2 fn/runtime/runtimeutil/functiontypes.go functionAnnotationKeys).
var functionKeys = []string{runtimeutil.FunctionAnnotationKey, "config.k8s.io/function"}

// lists are the fields of a kustomization whose entries are run.
var lists = []string{"generators", "transformers", "validators"}

// replace rewrites the annotations of a file that name inferstack. A file without any, or
// one that is no YAML, stays as it is.
func (f *files) replace(data []byte) []byte {
	if !slices.ContainsFunc(functionKeys, func(key string) bool { return bytes.Contains(data, []byte(key)) }) {
		return data
	}
	docs, err := documents(data)
	if err != nil {
		return data
	}
	changed := false
	for _, doc := range docs {
		changed = f.replaceIn(doc) || changed
	}
	if !changed {
		return data
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	for _, doc := range docs {
		if err := enc.Encode(doc); err != nil {
			return data
		}
	}
	if err := enc.Close(); err != nil {
		return data
	}
	return out.Bytes()
}

// documents reads YAML.
func documents(data []byte) ([]*yaml.Node, error) {
	var docs []*yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		doc := &yaml.Node{}
		err := dec.Decode(doc)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
}

// replaceIn rewrites a document, or what is written out in the lists of a kustomization.
func (f *files) replaceIn(doc *yaml.Node) bool {
	return len(doc.Content) > 0 && f.replaceOf(doc.Content[0])
}

// replaceOf rewrites an object, or those in a list, which kustomize takes out of it (api v0.21.2
// resource/factory.go inlineAnyEmbeddedLists).
func (f *files) replaceOf(object *yaml.Node) bool {
	changed := false
	if items := krm.Field(object, "items"); items != nil && strings.HasSuffix(krm.Text(object, "kind"), "List") {
		for _, item := range items.Content {
			changed = f.replaceOf(item) || changed
		}
	}
	notes := krm.Field(object, "metadata", "annotations")
	for _, key := range functionKeys {
		if value := krm.Field(notes, key); value != nil && ours(value.Value) {
			value.SetString(f.standIn(value.Value))
			changed = true
		}
	}
	for _, list := range lists {
		entries := krm.Field(object, list)
		if entries == nil || entries.Kind != yaml.SequenceNode {
			continue
		}
		for _, entry := range entries.Content {
			if text := f.replace([]byte(entry.Value)); inline(entry.Value) && string(text) != entry.Value {
				entry.SetString(string(text))
				changed = true
			}
		}
	}
	return changed
}

// inline reports whether an entry of a list is a configuration rather than a path.
func inline(entry string) bool { return strings.Contains(entry, "\n") }

// standIn is the annotation that runs inferstack and stands for another one, which it tells
// from all others in a comment.
func (f *files) standIn(annotation string) string {
	text := fmt.Sprintf("exec: {path: %s} # %d\n", strconv.Quote(f.function), len(f.annotations))
	f.annotations[text] = annotation
	return text
}

// ours reports whether an annotation names inferstack, as program or image. What it names
// is not run, so that the name is all that counts.
func ours(annotation string) bool {
	var spec runtimeutil.FunctionSpec
	if err := sigsyaml.Unmarshal([]byte(annotation), &spec); err != nil {
		return false
	}
	program := strings.TrimSuffix(path.Base(strings.ReplaceAll(spec.Exec.Path, `\`, "/")), ".exe")
	image := imageref.Parse(spec.Container.Image)
	return (program == "inferstack") != (image.Base() == "inferstack")
}
