package manifests

import (
	"strings"
	"testing"

	"github.com/inferstack/inferstack/schema/document"
)

// TestTwice refuses an object that is given in two forms, and takes one that is given again.
func TestTwice(t *testing.T) {
	text := string(content(t, goldenDir+"/quickstart.yaml"))
	for name, again := range map[string]string{"in two forms": strings.ReplaceAll(text, "replicas: ", "replicas: 1"), "": text} {
		docs, problems := document.Read("objects.yaml", []byte(text+"---\n"+again))
		if len(problems.Errors()) > 0 {
			t.Fatal(problems)
		}
		said := ""
		for _, p := range Convert(docs, Options{}).Problems.Errors() {
			said += p.Message
		}
		if !strings.Contains(said, name) || (name == "") != (said == "") {
			t.Errorf("%q: %s", name, said)
		}
	}
}
