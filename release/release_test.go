package release

import "testing"

func TestEveryLineLoads(t *testing.T) {
	for _, name := range Names() {
		line, err := Load(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if line.Images.EPP == "" || line.EPP.Flags["configFile"] == "" {
			t.Errorf("%s: incomplete", name)
		}
	}
}

func TestNamesAreOrderedByVersion(t *testing.T) {
	names := Names()
	for i := 1; i < len(names); i++ {
		if compareVersions(names[i-1], names[i]) >= 0 {
			t.Errorf("%s before %s", names[i-1], names[i])
		}
	}
}

func TestUnknownLine(t *testing.T) {
	if _, err := Load("9.9"); err == nil {
		t.Error("no error")
	}
}
