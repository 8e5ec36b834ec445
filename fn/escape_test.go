package fn

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"
)

// TestPathsStayInThePackage gives the function the paths that would lead an orchestrator
// to write elsewhere, on whatever system it runs.
func TestPathsStayInThePackage(t *testing.T) {
	for file, says := range map[string]string{
		"a/stack.yaml":               "",
		"./stack.yaml":               "",
		"．．/stack.yaml":              "", // full-width full stops are ordinary characters
		"a/..b/stack.yaml":           "",
		"../stack.yaml":              "leads out of the package",
		"a/../../stack.yaml":         "leads out of the package",
		"a/link/../stack.yaml":       "leads out of the package", // where link leads is not ours to know
		"..":                         "leads out of the package",
		"/etc/cron.d/stack.yaml":     "is absolute",
		"//host/share/stack.yaml":    "is absolute",
		"C:/stack.yaml":              "is absolute",
		"c:stack.yaml":               "is absolute",
		`..\stack.yaml`:              "has a backslash",
		`a\..\..\stack.yaml`:         "has a backslash",
		`\\host\share\stack.yaml`:    "has a backslash",
		"a\x00/stack.yaml":           "has control characters",
		"a\n../stack.yaml":           "has control characters",
		strings.Repeat("a/", 4096):   "is longer than any file system takes",
		"a/../../../etc/passwd.yaml": "leads out of the package",
		".git/hooks/pre-commit":      "is in a .git directory",
		"a/.GIT/config":              "is in a .git directory",
		"a/.git./config":             "is in a .git directory",
		"a/git~1/config":             "is in a .git directory",
		"a/.github/stack.yaml":       "",
	} {
		for _, key := range []string{kioutil.PathAnnotation, legacyPath} {
			stack := strings.Replace(small, "metadata:\n", fmt.Sprintf("metadata:\n  annotations:\n    %s: %q\n", key, file), 1)
			got := call(t, resources("", stack))
			if says != "" {
				if got.code != exitError || !strings.Contains(got.errors, says) || len(parseList(t, got.out).Items) != 1 {
					t.Errorf("%q: exit %d: %s", file, got.code, got.errors)
				}
				continue
			}
			if got.code != exitOK {
				t.Errorf("%q: %s", file, got.errors)
			}
			for _, item := range parseList(t, got.out).Items {
				to, _ := annotationsOf(item)[kioutil.PathAnnotation].(string)
				if item["kind"] != "InferenceStack" && !strings.HasPrefix(to, path.Join(path.Dir(file), "generated/llama")+"/") {
					t.Errorf("%q: written to %q", file, to)
				}
			}
		}
	}
}
