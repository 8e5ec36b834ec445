// Package assets builds the real programs that judge what Inferstack emits and keeps them outside the checkout.
//
// Each folder under build/ is a Go module whose go.mod pins one upstream component. A binary is cached under a key
// made of that folder's content and the Go release, so a machine that built it once builds nothing again, and a
// change of version builds anew. A component that cannot be built fails the test that asks for it.
package assets

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Dir returns the folder that holds the cache. INFERSTACK_CONFORMANCE_CACHE overrides the user's cache folder.
func Dir() (string, error) {
	if dir := os.Getenv("INFERSTACK_CONFORMANCE_CACHE"); dir != "" {
		return dir, nil
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "inferstack-conformance"), nil
}

// Binary returns the path of the program of that name, built when the cache does not have it.
func Binary(t testing.TB, name string) string {
	t.Helper()
	path, err := Build(name)
	if err != nil {
		t.Fatalf("component %s cannot be built: %v", name, err)
	}
	return path
}

// Build returns the path of the program of that name, built when the cache does not have it.
func Build(name string) (string, error) {
	c, err := find(name)
	if err != nil {
		return "", err
	}
	source, err := c.source()
	if err != nil {
		return "", err
	}
	key, err := c.key(source)
	if err != nil {
		return "", err
	}
	cache, err := Dir()
	if err != nil {
		return "", err
	}
	target := filepath.Join(cache, "bin", key, c.Name)
	// Before the lock as well, so that nobody waits for the build of a component that he does not want.
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	unlock, err := lock(cache)
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	return target, c.build(source, target)
}

func (c Component) build(source, target string) error {
	flags, err := c.linkFlags()
	if err != nil {
		return err
	}
	// Built under another name and renamed: a build that is interrupted leaves nothing that looks finished.
	partial := target + ".partial"
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", flags, "-o", partial, ".")
	cmd.Dir = source
	// As upstream releases them; and what does without C is compiled once for all. The compiler takes a fifth less time
	// when it collects its garbage less often.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false", "CGO_ENABLED=0", "GOGC=400")
	if c.Library != "" {
		dir, err := c.library(source)
		if err != nil {
			return err
		}
		compile, link, err := c.packageFlags()
		if err != nil {
			return err
		}
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1", "CGO_CFLAGS=-O2 "+compile, "CGO_LDFLAGS=-L"+dir+" "+link)
	}
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build in %s: %w\n%s", source, err, output)
	}
	return os.Rename(partial, target)
}
