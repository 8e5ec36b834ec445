package wiring

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/release"
)

// Components whose versions --platform names.
const (
	kubernetes = "kubernetes"
	gatewayAPI = "gateway-api"
	extension  = "inference-extension"
	istio      = "istio"
)

// Platforms are the components that Options.Platform may name.
func Platforms() []string { return release.Platforms() }

// CheckPlatform refuses what no version can be compared with.
func CheckPlatform(platform map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(platform)) {
		if !slices.Contains(Platforms(), name) {
			return fmt.Errorf("--platform knows %s (got %q)", strings.Join(Platforms(), ", "), name)
		}
		if _, _, ok := parseVersion(platform[name]); !ok {
			return fmt.Errorf("--platform %s needs a version such as 1.31 (got %q)", name, platform[name])
		}
	}
	return nil
}

// parseVersion reads 1.31, v1.31.2 or 1.31.2-gke.100.
func parseVersion(text string) (major, minor int, ok bool) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) < 2 {
		return 0, 0, false
	}
	major, err := strconv.Atoi(parts[0])
	digits, _, _ := strings.Cut(parts[1], "+") // EKS says 1.31+
	minor, err2 := strconv.Atoi(digits)
	return major, minor, err == nil && err2 == nil
}

func older(a, b string) bool {
	major, minor, _ := parseVersion(a)
	thanMajor, thanMinor, _ := parseVersion(b)
	return major < thanMajor || major == thanMajor && minor < thanMinor
}
