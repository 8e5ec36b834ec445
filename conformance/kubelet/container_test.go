package kubelet

import "testing"

func TestExpand(t *testing.T) {
	env := map[string]string{"A": "1", "EMPTY": ""}
	for text, want := range map[string]string{
		"$(A)": "1", "x$(A)y$(A)": "x1y1", "$(B)": "$(B)", "$$(A)": "$(A)", "$$$(A)": "$1", "$(EMPTY)": "", "$A": "$A", "$(": "$(",
	} {
		if got := expand(text, env); got != want {
			t.Errorf("expand(%q) = %q, want %q", text, got, want)
		}
	}
}
