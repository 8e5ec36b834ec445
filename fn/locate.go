package fn

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/schema/document"
)

// Bounds of the search for a stack's file.
const (
	maxSearched     = 200
	maxSearchedSize = 4 << 20
)

// locate finds the file that a document of a ResourceList was read from, so that
// messages can name lines. kpt says which file it was; kustomize does not, and runs a
// function in the directory of the kustomization. A file counts only when it says the
// same as the document: a wrong line is worse than none.
func locate(doc document.Document) (document.Document, bool) {
	candidates := []string{doc.Source.File}
	if doc.Source.File == "" {
		candidates = nearby()
	}
	for _, file := range candidates {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			continue
		}
		if found, ok := among(documentsIn(file), doc); ok {
			return found, true
		}
	}
	return document.Document{}, false
}

// among is the one of several documents that says the same.
func among(docs []document.Document, doc document.Document) (document.Document, bool) {
	i := slices.IndexFunc(docs, func(d document.Document) bool {
		return d.Kind == doc.Kind && d.Name == doc.Name && same(d.Node, doc.Node)
	})
	if i < 0 {
		return document.Document{}, false
	}
	return docs[i], true
}

// documentsIn reads a file; what cannot be read holds none.
func documentsIn(file string) []document.Document {
	docs, _ := document.Read(file, search(file))
	return docs
}

// search reads a file of moderate size in the working directory or below. A symbolic link
// that leads out of it is not followed: nobody has named what is there.
func search(file string) []byte {
	root, err := os.OpenRoot(".")
	if err != nil {
		return nil
	}
	defer root.Close()
	info, err := root.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSearchedSize {
		return nil
	}
	data, _ := root.ReadFile(file)
	return data
}

// nearby lists the manifests in the working directory, and those that its kustomization
// names as generators or transformers.
func nearby() []string {
	var files []string
	add := func(pattern string) {
		found, _ := filepath.Glob(pattern)
		files = append(files, found...)
	}
	for _, suffix := range manifestSuffixes {
		add("*" + suffix)
	}
	for _, entry := range kustomizationEntries() {
		if info, err := os.Stat(entry); err == nil && info.IsDir() {
			for _, suffix := range manifestSuffixes {
				add(filepath.Join(escapeGlob(entry), "*"+suffix))
			}
			continue
		}
		files = append(files, entry)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	return files[:min(len(files), maxSearched)]
}

// kustomizationEntries are the generators and transformers of the kustomization here.
func kustomizationEntries() []string {
	for _, name := range kustomizationFiles {
		data := search(name)
		if data == nil {
			continue
		}
		var k struct {
			Generators   []string `yaml:"generators"`
			Transformers []string `yaml:"transformers"`
		}
		if !decodeKustomization(data, &k) {
			return nil
		}
		return slices.DeleteFunc(append(k.Generators, k.Transformers...), func(s string) bool {
			return strings.Contains(s, "\n") // written in place
		})
	}
	return nil
}

func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// same reports whether two documents say the same, apart from how it is spelled and from
// what orchestrators write into annotations.
func same(a, b *yaml.Node) bool {
	x, okX := meaning(a)
	y, okY := meaning(b)
	return okX && okY && reflect.DeepEqual(x, y)
}

func meaning(n *yaml.Node) (any, bool) {
	var v any
	if document.Sound(n) != nil || n.Decode(&v) != nil {
		return nil, false
	}
	v = level(v)
	root, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	if metadata, ok := root["metadata"].(map[string]any); ok {
		if annotations, ok := metadata["annotations"].(map[string]any); ok {
			for key := range annotations {
				if toolAnnotation(key) {
					delete(annotations, key)
				}
			}
			if len(annotations) == 0 {
				delete(metadata, "annotations")
			}
		}
	}
	return v, true
}

// toolAnnotation reports whether kustomize, kpt or this function may have written it.
func toolAnnotation(key string) bool {
	prefix, _, _ := strings.Cut(key, "/")
	return strings.HasSuffix(prefix, "config.kubernetes.io") || strings.HasSuffix(prefix, "config.k8s.io") || strings.HasSuffix(prefix, "kpt.dev")
}

// level makes equal what kustomize makes equal on its way through JSON: 1, 1.0 and 1e0;
// a date and its long form. Empty values vanish.
func level(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case []any:
		for i := range v {
			v[i] = level(v[i])
		}
		return v
	case map[string]any:
		for k := range v {
			v[k] = level(v[k])
		}
		return v
	}
	return v
}
