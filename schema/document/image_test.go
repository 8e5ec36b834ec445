package document

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/distribution/reference"

	"github.com/inferstack/inferstack/internal/long"
)

// imageParts are what references and almost references are made of.
var imageParts = []string{
	"a", "b1", "ab", "A", "library", "localhost", "docker.io", "index.docker.io", "ghcr.io", "[::1]", "[fe80::F]", "[", "]", "[]",
	"/", "/", "/", ":", ":", "@", "@", ".", "..", "_", "__", "___", "-", "--", ".-", ":80", ":5000/", ":v1.0", ":latest", " ", "\n", "é", "É",
	"@sha256:", "sha256:", "SHA256:", "sha384:", "sha512:", "sha1:", "md5:", "sha256+b64:", strings.Repeat("0a", 16), strings.Repeat("0a", 32),
	strings.Repeat("0A", 32), strings.Repeat("f", 96), strings.Repeat("e", 128), strings.Repeat("long/", 51), strings.Repeat("x", 120),
}

func sameImageVerdict(t *testing.T, s string) (valid bool) {
	t.Helper()
	_, err := reference.ParseAnyReference(s)
	if got := IsImage(s); got != (err == nil) {
		t.Errorf("IsImage(%q) = %v, but distribution/reference says %v", s, got, err)
	}
	return err == nil
}

// TestImageAsUpstream asks isImage and the library that container runtimes use the same.
func TestImageAsUpstream(t *testing.T) {
	for _, s := range []string{
		"", "vllm/vllm-openai:v0.11.0", "ghcr.io/llm-d/llm-d-cuda@sha256:" + strings.Repeat("a", 64), "a_b.c/d", "a__b.c/d:t", "a.b-/c",
		"host:80/a", "host:/a", "Host/a", "host:80", "a//b", "/a", "a/", "docker.io/a", "docker.io/A", "[::1]:80/a:b@sha512:" + strings.Repeat("1", 128),
		"library/" + strings.Repeat("x", 248), strings.Repeat("x", 247), strings.Repeat("x", 248), "a:" + strings.Repeat("t", 128), "a:" + strings.Repeat("t", 129),
	} {
		sameImageVerdict(t, s)
	}
	random := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for range long.Of(30_000, 5) {
		var s string
		for range 1 + random.IntN(7) {
			s += imageParts[random.IntN(len(imageParts))]
		}
		if sameImageVerdict(t, s) {
			valid++
		}
	}
	if valid < long.Of(1000, 5) {
		t.Errorf("only %d of the references were valid", valid)
	}
}

func FuzzImage(f *testing.F) {
	for _, s := range imageParts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { sameImageVerdict(t, s) })
}
