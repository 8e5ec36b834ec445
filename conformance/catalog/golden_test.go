// Package catalog runs inferstack over golden ResourceLists as the functions of kpt's catalogue are tested, with the
// helpers of kpt's functions SDK: _fnconfig.yaml and the other files of a folder go in, _expected.yaml comes out.
package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"testing"

	"github.com/kptdev/krm-functions-sdk/go/fn"
	"github.com/kptdev/krm-functions-sdk/go/fn/testhelpers"

	"github.com/inferstack/inferstack/conformance/product"
)

// TestGolden compares what comes out, byte for byte. With WRITE_GOLDEN_OUTPUT=1 it writes it.
func TestGolden(t *testing.T) {
	binary := product.Binary(t)
	testhelpers.RunGoldenTests(t, "testdata", fn.ResourceListProcessorFunc(func(list *fn.ResourceList) (bool, error) {
		in, err := list.ToYAML()
		if err != nil {
			return false, err
		}
		cmd := exec.Command(binary)
		cmd.Stdin = bytes.NewReader(in)
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return false, err
		}
		made, wrong := fn.ParseResourceList(out)
		if wrong != nil {
			return false, fmt.Errorf("the SDK cannot read the output: %w", wrong)
		}
		if failed := made.Results.ExitCode() != 0; failed != (err != nil) {
			return false, fmt.Errorf("results %v, and %v", made.Results, err)
		}
		*list = *made
		return err == nil, nil
	}))
}
