package convert

import (
	"maps"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// others are API groups that hold more kinds than those that are converted, as the
// InferenceObjectives of llm-d.ai and the InferenceServices of KServe.
var others = map[string]bool{"llm-d.ai": true, "serving.kserve.io": true, group(schema.APIVersion): true}

func group(apiVersion string) string {
	g, _, _ := strings.Cut(apiVersion, "/")
	return g
}

// kinds are the newest apiVersions of what is converted, and of an InferenceStack, by kind.
func kinds() map[string]string {
	out := map[string]string{schema.Kind: schema.APIVersion}
	for i := range systems {
		for kind, versions := range systems[i].kinds {
			out[kind] = versions[0]
		}
	}
	return out
}

// Misspelt says what is wrong with a document that is meant for a system but has a kind or
// an apiVersion that it does not have, and in which field. It would be passed over in
// silence, or applied as it is.
func Misspelt(apiVersion, kind string) (field, message string) {
	if Known(apiVersion, kind) {
		return "", ""
	}
	known := kinds()
	own := group(apiVersion)
	if want, ok := known[kind]; ok && want != apiVersion && kind != schema.Kind {
		if own == group(want) || near.Of(own, []string{group(want)}) != "" {
			return "apiVersion", "must be " + want + " with kind: " + kind + " (got \"" + apiVersion + "\")"
		}
		return "", ""
	} else if ok {
		return "", ""
	}
	siblings := lists.Where(slices.Sorted(maps.Keys(known)), func(k string) bool { return group(known[k]) == own })
	near := near.Of(kind, siblings)
	if len(siblings) == 0 || near == "" && others[own] {
		return "", ""
	}
	message = "must be " + strings.Join(siblings, " or ") + ", which are the kinds of " + own + " (got \"" + kind + "\")"
	if len(siblings) == 1 {
		message = "must be " + siblings[0] + " (got \"" + kind + "\")"
	}
	if near != "" {
		message += "; did you mean " + near + "?"
	}
	return "kind", message
}

// misspelt are the documents that would be passed over for a kind or apiVersion.
func misspelt(docs []document.Document) (out schema.Problems) {
	for _, doc := range docs {
		if field, message := Misspelt(doc.APIVersion, doc.Kind); field != "" {
			out = append(out, doc.Problem(schema.Error, field, "%s", message))
		}
	}
	return out
}
