package fn

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// version is set by the linker; a build by go install knows it from its module.
var version = ""

// build is what the version command says.
type build struct {
	Version        string   `json:"version"`
	GoVersion      string   `json:"goVersion"`
	APIVersion     string   `json:"apiVersion"`
	Releases       []string `json:"releases"`
	DefaultRelease string   `json:"defaultRelease"`
}

func versionCommand(std streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version and the llm-d release lines it knows",
		Example: "  inferstack version\n  inferstack version -o json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return writeVersion(std.out, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "json or yaml")
	return cmd
}

func writeVersion(w io.Writer, output string) error {
	b := build{
		Version: version, APIVersion: schema.APIVersion,
		Releases: release.Names(), DefaultRelease: release.Default,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.GoVersion = info.GoVersion
		if b.Version == "" {
			b.Version = info.Main.Version
		}
	}
	var text []byte
	var err error
	switch output {
	case "":
		text = fmt.Appendf(nil, "inferstack %s (%s)\n", b.Version, b.APIVersion)
	case "json":
		text, err = json.MarshalIndent(b, "", "  ")
		text = append(text, '\n')
	case "yaml":
		text, err = yaml.Marshal(b)
	default:
		return fmt.Errorf("--output is json or yaml (got %q)", output)
	}
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil {
		return failure{err}
	}
	return nil
}
