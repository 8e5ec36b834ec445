package product

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/manifests"
)

// Sample is one installation of another llm-d system among testdata/convert, and what the program makes of it.
type Sample struct {
	Name    string
	Objects []*unstructured.Unstructured
	// Refused is why the program refused it; nothing was made.
	Refused string
}

// loose holds inputs that belong to no golden output.
const loose = "inputs"

// Samples returns every resource and every set of Helm values that the converters are tested with, rendered.
func Samples(t testing.TB) []Sample {
	t.Helper()
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(root, "testdata", "convert", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var list []Sample
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() || filepath.Base(filepath.Dir(folder)) == loose {
			continue
		}
		list = append(list, sample(t, folder))
	}
	if len(list) < 20 {
		t.Fatalf("only %d samples in %s", len(list), root)
	}
	return list
}

func sample(t testing.TB, folder string) Sample {
	t.Helper()
	s := Sample{Name: filepath.Base(filepath.Dir(folder)) + "/" + filepath.Base(folder)}
	input := filepath.Join(folder, "input.yaml")
	if _, err := os.Stat(input); err != nil {
		var output, said []byte
		if output, said, err = Try(t, helm(folder)...); err != nil {
			s.Refused = lastLine(said)
			return s
		}
		input = filepath.Join(t.TempDir(), "stack.yaml")
		if err := os.WriteFile(input, output, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	output, said, err := Try(t, "render", "--lossy", input)
	if err != nil {
		s.Refused = lastLine(said)
	}
	s.Objects = manifests.Parse(t, output)
	return s
}

// helm are the arguments that convert the values files in a folder.
func helm(folder string) []string {
	args := []string{"convert", "helm", "--lossy", "--namespace", "llm-d-inference-scheduling"}
	for _, chart := range []string{"infra", "pool", "modelservice"} {
		file := filepath.Join(folder, chart+".yaml")
		if _, err := os.Stat(file); err == nil {
			args = append(args, "--"+chart, file)
		}
	}
	return args
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
