package assets

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// library compiles the stand-in for the component's C library and returns the folder that holds it. The folder is
// always the same one, because its path is a linker flag, and with another flag every package is compiled anew.
func (c Component) library(source string) (string, error) {
	cache, err := Dir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "lib", c.Name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	object, archive := filepath.Join(dir, "stub.o"), filepath.Join(dir, "lib"+c.Library+".a")
	for _, args := range [][]string{
		{"cc", "-c", "-o", object, filepath.Join(source, "stub", c.Library+".c")},
		{"ar", "rcs", archive, object},
	} {
		if output, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			return dir, fmt.Errorf("%s: %w\n%s", args[0], err, output)
		}
	}
	return dir, nil
}

// packageFlags asks pkg-config how to compile and link against the component's package.
func (c Component) packageFlags() (compile, link string, err error) {
	if c.Package == "" {
		return "", "", nil
	}
	for option, value := range map[string]*string{"--cflags": &compile, "--libs": &link} {
		output, err := exec.Command("pkg-config", option, c.Package).CombinedOutput()
		if err != nil {
			return "", "", fmt.Errorf("pkg-config %s: %w\n%s", c.Package, err, output)
		}
		*value = strings.TrimSpace(string(output))
	}
	return compile, link, nil
}
