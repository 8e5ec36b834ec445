package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inferstack/inferstack/internal/lists"
)

// entryKeys are the fields that name an entry of a list, the first that all entries have
// and no two share: containers, env, volumes and listeners by name, mounts by their path,
// ports by number, plugins and conditions by type.
var entryKeys = []string{"name", "mountPath", "containerPort", "port", "pluginRef", "topologyKey", "key", "type"}

// unordered are lists whose order means nothing.
var unordered = []string{"ports", "volumes", "volumeMounts", "tolerations", "imagePullSecrets", "topologySpreadConstraints", "resourceClaims"}

func (c *comparer) lists(p path, old, now []any) {
	switch key := entryKey(old, now); {
	case key != "":
		c.named(p, entries(old, key), entries(now, key))
	case scalars(old) && scalars(now):
		c.sequence(p, old, now)
	default:
		for i := range max(len(old), len(now)) {
			c.values(p.entry(fmt.Sprint(i)), at(old, i), at(now, i))
		}
	}
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// entryKey is the field that names the entries of both lists, or "".
func entryKey(lists ...[]any) string {
	for _, key := range entryKeys {
		if !slices.ContainsFunc(lists, func(list []any) bool { return !names(list, key) }) {
			return key
		}
	}
	return ""
}

// names reports whether a field tells all entries of a list apart.
func names(list []any, key string) bool {
	seen := map[string]bool{}
	for _, e := range list {
		name := fmt.Sprint(mapping(e)[key])
		if mapping(e)[key] == nil || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

func scalars(list []any) bool {
	return !slices.ContainsFunc(list, func(e any) bool {
		switch e.(type) {
		case map[string]any, []any:
			return true
		}
		return false
	})
}

// An entry of a list has a name.
type entry struct {
	name  string
	value any
}

func entries(list []any, key string) []entry {
	return lists.Map(list, func(e any) entry { return entry{fmt.Sprint(mapping(e)[key]), e} })
}

// byName finds the values of the entries.
func byName(list []entry) map[string]any {
	out := make(map[string]any, len(list))
	for _, e := range list {
		out[e.name] = e.value
	}
	return out
}

// named compares entries by name, in their old order and then the new ones, and says when
// those that stay have changed places where that matters.
func (c *comparer) named(p path, old, now []entry) {
	var was, is []string
	before, after := byName(old), byName(now)
	for _, e := range old {
		if after[e.name] != nil {
			was = append(was, e.name)
		}
		c.values(p.entry(e.name), e.value, after[e.name])
	}
	for _, e := range now {
		if before[e.name] != nil {
			is = append(is, e.name)
			continue
		}
		c.values(p.entry(e.name), nil, e.value)
	}
	if !slices.Equal(was, is) && !slices.Contains(unordered, p[len(p)-1].key) {
		c.add(p, "in the order "+strings.Join(was, ", "), "in the order "+strings.Join(is, ", "))
		c.changes[len(c.changes)-1].order = true
	}
}

// mostCompared is how long two lists may be to be compared word by word, which takes time
// and memory by the product of their lengths. No container has as many arguments.
const mostCompared = 1000

// sequence compares lists of scalars. What is in both in the same order is left out (a
// longest common subsequence); an argument with another value is one change. Lists too
// long for that are one change.
func (c *comparer) sequence(p path, old, now []any) {
	old, now = unlike(old, now)
	if max(len(old), len(now)) > mostCompared {
		c.add(p, old, now)
		return
	}
	a, b := words(old), words(now)
	common := subsequence(a, b)
	var gone, come []any
	flush := func() {
		for len(gone)+len(come) > 0 {
			c.replaced(p, &gone, &come)
		}
	}
	i, j := 0, 0
	for _, word := range append(common, "\x00") {
		for ; i < len(a) && a[i] != word; i++ {
			gone = append(gone, old[i])
		}
		for ; j < len(b) && b[j] != word; j++ {
			come = append(come, now[j])
		}
		flush()
		i, j = i+1, j+1
	}
}

// unlike are the lists without what they begin and end with alike.
func unlike(a, b []any) (restA, restB []any) {
	for len(a) > 0 && len(b) > 0 && fmt.Sprint(a[0]) == fmt.Sprint(b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && fmt.Sprint(a[len(a)-1]) == fmt.Sprint(b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// replaced takes one word that went or came, or two that are one argument with two values.
func (c *comparer) replaced(p path, gone, come *[]any) {
	if len(*gone) == 0 {
		c.add(p, nil, (*come)[0])
		*come = (*come)[1:]
		return
	}
	word := (*gone)[0]
	*gone = (*gone)[1:]
	for i, other := range *come {
		if sameArgument(fmt.Sprint(word), fmt.Sprint(other)) {
			*come = slices.Delete(*come, i, i+1)
			c.add(p, word, other)
			return
		}
	}
	c.add(p, word, nil)
}

// sameArgument reports whether two words at one place are the same flag, or both none.
func sameArgument(a, b string) bool {
	if !strings.HasPrefix(a, "-") {
		return !strings.HasPrefix(b, "-")
	}
	flag, _, valued := strings.Cut(a, "=")
	return valued && strings.HasPrefix(b, flag+"=")
}

func words(list []any) []string {
	return lists.Map(list, func(e any) string { return fmt.Sprint(e) })
}

// subsequence is a longest common subsequence.
func subsequence(a, b []string) (out []string) {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, a[i])
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
