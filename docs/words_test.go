package docs

import (
	"bytes"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unclear are phrases that the glossary of CONTRIBUTING.md has others for.
var unclear = map[string]string{
	"says whether": "reports whether", "say whether": "report whether",
	"that there are not": "unknown", "that there is not": "unknown",
	"is no field": "is not a field of", "is no flag": "is not a flag of", "is no plugin": "is not a plugin of",
	"is no stack": "is not a stack", "is no InferenceStack": "is not an InferenceStack", "is no object": "is not an object",
	"is passed over": "is ignored", "are passed over": "are ignored",
	"there beforehand": "must already exist",
	"a line a problem": "one per line", "a problem a line": "one per line", "one a line": "one per line", "a finding a line": "one per line",
	"without a word": "silently", "the stack is the same": "has no effect",
	" mend ": "fix", " mends ": "fixes", " mended": "fixed", "Moving over": "Migration",
}

// lawful begins what has one of the phrases in its plain meaning.
var lawful = []string{"there ", "There ", "it ", "where one "}

// TestWords keeps the worst words out of code, comments, the schema and the documentation.
func TestWords(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "bin" || d.Name() == "dist"):
			return fs.SkipDir
		case d.IsDir() || d.Name() == "words_test.go" || !strings.Contains(" .go .cue .md ", " "+filepath.Ext(path)+" "):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for phrase, instead := range unclear {
			for at := range occurrences(text, phrase) {
				t.Errorf("%s:%d: %q; write %s", strings.TrimPrefix(path, "../"), 1+bytes.Count(text[:at], []byte("\n")), phrase, instead)
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Errorf("%d files, %v", files, err)
	}
}

// occurrences are the places of a phrase in a text.
func occurrences(text []byte, phrase string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; ; from++ {
			i := bytes.Index(text[from:], []byte(phrase))
			if i < 0 {
				return
			}
			from += i
			if before := string(text[max(0, from-12):from]); slices.ContainsFunc(lawful, func(word string) bool { return strings.HasSuffix(before, word) }) {
				continue
			}
			if !yield(from) {
				return
			}
		}
	}
}
