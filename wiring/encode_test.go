package wiring

import (
	"slices"
	"strings"
	"testing"
)

// TestEncodeAlone takes the prefill servers out of a set with encode servers: the decode servers
// are then the ones that read embeddings, and nobody misses prefill pods.
func TestEncodeAlone(t *testing.T) {
	text := withoutObject(read(t, "encode"), "Deployment", "qwen-vl-prefill")
	text = strings.Replace(text, "          prefill: prefix-based-pd-decider\n", "", 1)
	var rules []string
	for _, f := range checked(t, text, newest) {
		rules = append(rules, f.Rule)
	}
	if slices.Contains(rules, "pd-role-absent") || !slices.Contains(rules, "ec-connector") {
		t.Errorf("found %q, want ec-connector, which decode servers lack now, and not pd-role-absent", rules)
	}
}

// TestEncoderTLS finds a sidecar that speaks HTTP to encode servers with a certificate.
func TestEncoderTLS(t *testing.T) {
	text := strings.Replace(read(t, "encode"), "        - --mm-encoder-only\n", "        - --mm-encoder-only\n        - --ssl-certfile=/tls/tls.crt\n        - --ssl-keyfile=/tls/tls.key\n", 1)
	found := said(t, text, "sidecar-tls")
	if len(found) != 1 || !strings.Contains(found[0], "to the encoder") {
		t.Errorf("found %q", found)
	}
}

// TestEmbeddingFlows names the connections of encode servers that a NetworkPolicy must admit.
func TestEmbeddingFlows(t *testing.T) {
	objects, err := Read("", []byte(read(t, "encode")))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range Graph(objects).flows() {
		if strings.HasSuffix(f.to.ref.Name, "-encode") && strings.Contains(f.why, "encode") {
			got = append(got, f.from.ref.Name+" "+f.why)
		}
	}
	want := []string{"qwen-vl-decode the sidecar sends requests to the encode servers", "qwen-vl-prefill servers fetch embeddings from encode servers"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// withoutObject is a set of manifests without one of them.
func withoutObject(text, kind, name string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(text, "---\n"), func(doc string) bool {
		return strings.Contains(doc, "kind: "+kind+"\n") && strings.Contains(doc, "\n  name: "+name+"\n")
	}), "---\n")
}

// TestEmbeddingsAgree has servers and sidecars that exchange embeddings in other ways than the usual one, which the
// rules leave alone.
func TestEmbeddingsAgree(t *testing.T) {
	files := func(text string) string {
		return strings.NewReplacer("ECCPUConnector", "ECExampleConnector", `"ec_enable_nixl":true`, `"shared_storage_path":"/ec"`, "--ec-connector=ec-nixl", "--ec-connector=ec-example").Replace(text)
	}
	both := func(text string) string {
		return strings.NewReplacer("ec_producer", "ec_both", "ec_consumer", "ec_both").Replace(text)
	}
	variable := func(text string) string {
		return strings.Replace(text, "--ec-connector=ec-nixl", "--ec-connector=$(EC_CONNECTOR)", 1)
	}
	encodeImage := func(image string) func(string) string {
		return func(text string) string {
			const was = "docker.io/vllm/vllm-openai:v0.30.0"
			at := strings.LastIndex(text[:strings.Index(text, "- --mm-encoder-only")], was)
			return text[:at] + image + text[at+len(was):]
		}
	}
	for name, edit := range map[string]func(string) string{"files": files, "both": both, "a variable": variable,
		"a digest": encodeImage("docker.io/vllm/vllm-openai@sha256:0"), "a port and no tag": encodeImage("docker.io:5000/vllm/vllm-openai")} {
		t.Run(name, func(t *testing.T) {
			text := edit(read(t, "encode"))
			for _, rule := range []string{"ec-sidecar-connector", "ec-role", "ec-nixl", "ec-shared-memory", "encode-whole-model", "encode-version", "ec-connector"} {
				if found := said(t, text, rule); len(found) > 0 {
					t.Errorf("%s: %q", rule, found)
				}
			}
		})
	}
}
