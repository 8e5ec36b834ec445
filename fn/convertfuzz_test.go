package fn

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/convert"
	"github.com/inferstack/inferstack/convert/helm"
	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema/document"
)

// FuzzConvert feeds the converters anything: documents of the operators, or values files
// of the charts when there are no documents. Nothing may break down. What converts
// without an error validates, renders, and still renders the same once it has been
// printed and read again.
func FuzzConvert(f *testing.F) {
	inputs, err := filepath.Glob("../testdata/convert/*/*/input.yaml")
	if err != nil || len(inputs) == 0 {
		f.Fatal("no samples", err)
	}
	for i, input := range inputs {
		if long.Part(i, 36) {
			f.Add(seed(f, input), "", "", "", false)
			f.Add(seed(f, input), "", "", "", true)
		}
	}
	dirs, _ := filepath.Glob("../testdata/convert/helm/*")
	for i, dir := range dirs {
		if !long.Part(i, 36) {
			continue
		}
		of := func(chart string) string { return seed(f, filepath.Join(dir, chart+".yaml")) }
		f.Add("", of("infra"), of("pool"), of("modelservice"), false)
		f.Add("", of("infra"), of("pool"), of("modelservice"), true)
	}
	f.Fuzz(func(t *testing.T, documents, infra, pool, modelservice string, lossy bool) {
		var r convert.Result
		if documents != "" {
			docs, problems := document.Read("input.yaml", []byte(documents))
			if len(problems.Errors()) > 0 {
				return
			}
			r = convert.Convert(docs, convert.Options{Lossy: lossy, KeepController: lossy})
		} else {
			r = convert.Helm(convert.HelmValues{
				Infra: valuesOf("infra.yaml", infra), Pool: valuesOf("pool.yaml", pool), Model: valuesOf("ms.yaml", modelservice),
				Postfix: "fuzz", Namespace: "fuzz", Lossy: lossy,
			})
		}
		convertedHolds(t, r)
	})
}

// seed is the content of a file; one that is not there has none.
func seed(f *testing.F, file string) string {
	f.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		f.Fatal(err)
	}
	return string(data)
}

func valuesOf(name, content string) helm.File {
	if content == "" {
		return helm.File{}
	}
	return helm.File{Name: name, Data: []byte(content)}
}

// convertedHolds checks what convert prints against what render makes of it.
func convertedHolds(t *testing.T, r convert.Result) {
	t.Helper()
	var out, errs bytes.Buffer
	direct, found := compile(unitsOf(r))
	if err := (convertOutput{std: streams{nil, &out, &errs}}).write(r); err != nil {
		if errs.Len() == 0 && errors.Is(err, errReported) || out.Len() != 0 {
			t.Fatalf("refused silently, or with output: %v %q %q", err, errs.String(), out.String())
		}
		return
	}
	if failed(found) {
		t.Fatalf("printed although it does not compile:\n%v", found)
	}
	if len(r.Stacks) == 0 {
		return
	}
	docs, problems := document.Read("stack.yaml", out.Bytes())
	if len(problems) > 0 {
		t.Fatalf("%v in what was printed:\n%s", problems, out.String())
	}
	stacks, found := units(docs[:len(r.Stacks)], convert.Options{}) // without further objects
	printed, more := compile(stacks)
	if found = append(found, more...); failed(found) {
		t.Fatalf("%v in what was printed:\n%s", found, out.String())
	}
	if want, got := rendered(t, direct), rendered(t, printed); want != got {
		t.Errorf("renders differently once printed:\n%s\n---\n%s", want, got)
	}
}

// rendered is what the render command prints.
func rendered(t *testing.T, made []generators.Made) string {
	t.Helper()
	var out strings.Builder
	if err := manifest.WriteYAML(&out, objects(made)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
