package untrusted

import "testing"

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"llama-epp, größer: 9002": "llama-epp, größer: 9002",
		"svc\n::error::inject":    `svc\n::error::inject`,
		"\x1b]0;title\a":          `\x1b]0;title\a`,
		"a\r\tb\u2028c":           `a\r\tb\u2028c`,
		"reversed \u202egnirts":   `reversed \u202egnirts`,
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}
