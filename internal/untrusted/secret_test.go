package untrusted

import "testing"

// TestRedact keeps what stands around a secret, and nothing of the secret.
func TestRedact(t *testing.T) {
	const token = "hf_abcdefghijklmnopqrstuvwxyz"
	for text, want := range map[string]string{
		"no secret here":                  "no secret here",
		"hf_short":                        "hf_short",
		"Deployment/gh_actions_runner":    "Deployment/gh_actions_runner",
		token:                             "<a Hugging Face token>",
		"--token=" + token + " --port=80": "--token=<a Hugging Face token> --port=80",
		token + " " + token:               "<a Hugging Face token> <a Hugging Face token>",
		"Authorization: Bearer abcdefghijklmnopqrstuv":                    "Authorization: <a bearer token>",
		"redis://user:pass@host:6379":                                     "redis://<a URL with a password>host:6379",
		"key: |\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n":            "key: |\n<a private key>",
		`"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl"`: `"<a JSON web token>"`,
		"AKIAABCDEFGHIJKLMNOP":                                            "<an AWS access key>",
	} {
		if got := Redact(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestFile(t *testing.T) {
	for name, want := range map[string]string{
		"stack.yaml":              "stack.yaml",
		"::error file=a::b.yaml":  "./::error file=a::b.yaml",
		"##vso[task.x]y.yaml":     "./##vso[task.x]y.yaml",
		" ::error::b.yaml":        "./ ::error::b.yaml",
		"dir/::error::b.yaml":     "dir/::error::b.yaml",
		"a\n::error::b.yaml":      `a\n::error::b.yaml`,
		"a\x1b[31mb.yaml":         `a\x1b[31mb.yaml`,
		"C:\\stacks\\stack.yaml":  "C:\\stacks\\stack.yaml",
		"größe/\u202estack.yaml":  `größe/\u202estack.yaml`,
		"hf_abcdefghijklmnopqrst": "<a Hugging Face token>",
	} {
		if got := File(name); got != want {
			t.Errorf("%q is written %q, want %q", name, got, want)
		}
	}
}
