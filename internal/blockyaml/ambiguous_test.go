package blockyaml

import "testing"

func TestAmbiguous(t *testing.T) {
	quoted := []string{
		"", "~", "null", "Null", "y", "Y", "n", "yes", "No", "ON", "off", "true", "FALSE", "=", "<<",
		"1", "-1", "+1", "0x1F", "0b11", "0o17", "0644", "1_000", "1e3", "1E3", "1.0", ".5", "5.", "1.10", ".inf", "-.INF", ".nan",
		"12:30:45", "190:20:30.15", "2024-01-02", "2024-01-02T00:00:00Z", "2001-12-14 21:59:43.10 -5",
	}
	for _, s := range quoted {
		if !Ambiguous(s) {
			t.Errorf("%q stays plain", s)
		}
	}
	for _, s := range []string{"a", "none", "10Gi", "30s", "v1.2", "--port=8000", "10.0.0.0/8", "yesterday", "0.10.0-rc1", "-", "+"} {
		if Ambiguous(s) {
			t.Errorf("%q is quoted without need", s)
		}
	}
}
