package fn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// TestConvertedChecks runs check on what becomes of each sample of another system, alone
// and together: every reference holds, and no object is there twice.
func TestConvertedChecks(t *testing.T) {
	files, err := filepath.Glob("../testdata/convert/*/*/rendered.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("nothing rendered", err)
	}
	for _, file := range files {
		t.Run(filepath.Dir(file), func(t *testing.T) {
			long.Case(t, 8)
			got := call(t, "", "check", file)
			if got.code != exitOK || !strings.Contains(got.out+got.errors, ": 0 errors") {
				t.Errorf("%d\n%s%s", got.code, got.out, got.errors)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all := identities(objectsIn(t, string(data)))
			for i := 1; i < len(all); i++ {
				if all[i] == all[i-1] {
					t.Errorf("%s is there twice", all[i])
				}
			}
		})
	}
}
