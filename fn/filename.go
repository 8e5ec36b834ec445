package fn

import (
	"strings"

	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/lists"
)

// fileNames returns a file name for each object: kind_name.yaml, as kpt would call it.
// Where two objects have one kind and name the group is added, and then the namespace.
func fileNames(objects []manifest.Manifest) []string {
	names := lists.Map(objects, func(o manifest.Manifest) string { return fileName(o, 0) })
	for detail := 1; detail <= 2; detail++ {
		count := map[string]int{}
		for _, name := range names {
			count[name]++
		}
		for i, o := range objects {
			if count[names[i]] > 1 {
				names[i] = fileName(o, detail)
			}
		}
	}
	return names
}

// fileName is the name with so much detail.
func fileName(o manifest.Manifest, detail int) string {
	id := o.ID
	name := strings.ToLower(id.Kind)
	if detail >= 1 && id.Group != "" {
		name += "." + id.Group
	}
	name += "_" + id.Name
	if detail >= 2 && id.Namespace != "" {
		name += "_" + id.Namespace
	}
	return fileSafe(name) + ".yaml"
}

// fileSafe replaces what some file system does not take, such as the colon in the name
// of an RBAC object.
func fileSafe(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', strings.ContainsRune("._-", r):
			return r
		}
		return '-'
	}, name)
}
