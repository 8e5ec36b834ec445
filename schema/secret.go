package schema

import "strings"

// A secretKind is a form of credential that must not be written in clear.
type secretKind struct {
	name string
	hint string // a text that every such secret holds, to look for first
	expr string
}

// secretKinds are the published forms of tokens and keys. Each begins at a
// character that cannot be part of a longer word.
var secretKinds = []secretKind{
	{"a Hugging Face token", "hf_", `(^|[^A-Za-z0-9_])hf_[A-Za-z0-9]{20,}`},
	{"a GitHub token", "gh", `(^|[^A-Za-z0-9_])(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})`},
	{"an AWS access key", "IA", `(^|[^A-Za-z0-9])(AKIA|ASIA)[A-Z0-9]{16}`},
	{"a Google API key", "AIza", `(^|[^A-Za-z0-9_])AIza[A-Za-z0-9_-]{35}`},
	{"an API key", "sk-", `(^|[^A-Za-z0-9_-])sk-(ant-[a-z0-9]+-|proj-|svcacct-|admin-)?[A-Za-z0-9_]{20,}`},
	{"a Slack token", "xox", `(^|[^A-Za-z0-9_])xox[abeoprs]-[A-Za-z0-9-]{10,}`},
	{"a private key", "PRIVATE KEY", `-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----`},
	{"a bearer token", "earer", `(^|[^A-Za-z0-9])[Bb]earer\s+[A-Za-z0-9._~+/=-]{16,}`},
	{"a JSON web token", "eyJ", `(^|[^A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}`},
	{"a URL with a password", "://", `://[^\s/:@]*:[^\s/:@$(<{]+@`},
}

// secret names the kind of secret that s holds, or is "".
func secret(s string) string {
	if len(s) < 8 {
		return ""
	}
	for _, k := range secretKinds {
		if strings.Contains(s, k.hint) && matches(k.expr, s) {
			return k.name
		}
	}
	return ""
}

// redact is s, or what stands in its place when it holds a secret.
func redact(s string) string {
	if kind := secret(s); kind != "" {
		return "<" + kind + ">"
	}
	return s
}
