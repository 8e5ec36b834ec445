package rules

import "testing"

func TestHostnamesMeet(t *testing.T) {
	for _, tt := range []struct {
		listener, route string
		want            bool
	}{
		{"a.example.com", "a.example.com", true},
		{"a.example.com", "b.example.com", false},
		{"*.example.com", "a.example.com", true},
		{"*.example.com", "a.b.example.com", true},
		{"*.example.com", "example.com", false},
		{"*.example.com", "aexample.com", false},
		{"a.example.com", "*.example.com", true},
		{"*.example.com", "*.example.com", true},
		{"*.example.com", "*.a.example.com", true},
		{"*.example.com", "*.other.com", false},
	} {
		if got := hostnamesMeet(tt.listener, tt.route); got != tt.want {
			t.Errorf("%s and %s: %t", tt.listener, tt.route, got)
		}
	}
}
