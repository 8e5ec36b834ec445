package untrusted

import (
	"regexp"
	"strings"

	"github.com/inferstack/inferstack/internal/pattern"
)

// A secretKind is a form of credential that must not be written in clear.
type secretKind struct {
	name string
	hint string // a text that every such secret holds, to look for first
	// expr matches the secret. What its first group matches stands before the secret.
	expr func() *regexp.Regexp
}

// secretKinds are the published forms of tokens and keys. Each begins at a character that
// cannot be part of a longer word.
var secretKinds = []secretKind{
	kind("a Hugging Face token", "hf_", `(^|[^A-Za-z0-9_])hf_[A-Za-z0-9]{20,}`),
	kind("a GitHub token", "gh", `(^|[^A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})`),
	kind("an AWS access key", "IA", `(^|[^A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}`),
	kind("a Google API key", "AIza", `(^|[^A-Za-z0-9_])AIza[A-Za-z0-9_-]{35}`),
	kind("an API key", "sk-", `(^|[^A-Za-z0-9_-])sk-(?:ant-[a-z0-9]+-|proj-|svcacct-|admin-)?[A-Za-z0-9_]{20,}`),
	kind("a Slack token", "xox", `(^|[^A-Za-z0-9_])xox[abeoprs]-[A-Za-z0-9-]{10,}`),
	kind("a private key", "PRIVATE KEY", `()-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*)`),
	kind("a bearer token", "earer", `(^|[^A-Za-z0-9])[Bb]earer\s+[A-Za-z0-9._~+/=-]{16,}`),
	kind("a JSON web token", "eyJ", `(^|[^A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?`),
	kind("a URL with a password", "://", `(://)[^\s/:@]*:[^\s/:@$(<{]+@`),
}

func kind(name, hint, expr string) secretKind {
	return secretKind{name, hint, pattern.Lazy(expr)}
}

func (k secretKind) in(text string) bool {
	return strings.Contains(text, k.hint) && k.expr().MatchString(text)
}

// Secret names the kind of secret that text holds, such as "a GitHub token", or is "".
func Secret(text string) string {
	if len(text) < 8 {
		return ""
	}
	for _, k := range secretKinds {
		if k.in(text) {
			return k.name
		}
	}
	return ""
}

// Redact is text with the name of its kind in place of each secret.
func Redact(text string) string {
	if len(text) < 8 {
		return text
	}
	for _, k := range secretKinds {
		if k.in(text) {
			text = k.expr().ReplaceAllString(text, "${1}<"+k.name+">")
		}
	}
	return text
}
