package packed

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func TestRead(t *testing.T) {
	want := strings.Repeat("spec: {}\n", 1000)
	data, err := Pack([]byte(want))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > len(want)/10 {
		t.Errorf("%d bytes of %d", len(data), len(want))
	}
	files := fstest.MapFS{"a.gz": {Data: data}, "text.gz": {Data: []byte(want)}}
	if got, err := Read(files, "a.gz"); err != nil || string(got) != want {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := Read(files, "b.gz"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a file that is not there: %v", err)
	}
	if _, err := Read(files, "text.gz"); err == nil {
		t.Error("no error for a file that is not compressed")
	}
}
