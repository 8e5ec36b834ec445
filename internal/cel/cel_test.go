package cel

import (
	"errors"
	"testing"
)

func TestHolds(t *testing.T) {
	self := map[string]any{
		"kind": "Service", "group": "", "n": int64(3), "namespace": "a", "later": Unknown{}, "wait": "10s",
		"list": []any{map[string]any{"name": "a", "port": int64(1)}, map[string]any{"name": "b"}}, "labels": map[string]any{"a/b": "c", "d": "e"},
	}
	for expression, want := range map[string]bool{
		"self.kind == 'Service' && size(self.group) == 0": true, "has(self.port)": false, "!has(self.port)": true, "has(self.__namespace__)": true,
		"self.list.all(l, has(l.port))": false, "self.list.exists(l, has(l.port) && l.port == 1)": true, "self.list.exists_one(l, l.name in ['a', 'b'])": false,
		"self.list.filter(l, l.name == 'a').size() <= 1": true, "self.n + 1 - 2 * 2 == 0": true, "self.n < 4 ? true : false": true, "self.list[1].name == \"b\"": true,
		`self.kind.matches(r"""^[A-Z]\w+$""")`: true, "self.kind.startsWith('S') && self.kind.endsWith('e') && !self.kind.contains('x')": true,
		"duration(self.wait) >= duration('1m')": false, "self.labels.all(key, key.split('/')[0].size() < 3)": true, "'d' in self.labels": true,
		"self.later == 1 || true": true, "self.nothing || self.n == 3": true, "has(self.later) && self.kind == 'Service'": true, "'a' < 'b'": true, "-self.n == -3": true, `'it\'s' != "x"`: true,
		"self.list.exists(l, l.port == 1)": true,
	} {
		e, flaw := Parse(expression)
		if flaw != "" {
			t.Fatalf("%s: %s", expression, flaw)
		}
		if got, err := e.Holds(self); got != want || err != nil {
			t.Errorf("%s: %t, %v", expression, got, err)
		}
	}
	for expression, unjudged := range map[string]bool{
		"self.nothing == 1": false, "self.n": false, "duration(self.kind) > duration('1s')": false, "self.list[2] == 1": false, "nobody == 1": false, "self.list.all(l, l.port == 1)": false,
		"self.later == 1": true, "self.list.all(l, self.later == l)": true, "ip(self.kind)": true, "self.list.map(l, l)": true, "{'a': 1} == 1": true, "self.kind.lowerAscii() == 'a'": true, "1.5 < self.n": true,
	} {
		e, flaw := Parse(expression)
		if flaw != "" {
			t.Fatalf("%s: %s", expression, flaw)
		}
		if got, err := e.Holds(self); err == nil || errors.Is(err, ErrUnjudged) != unjudged {
			t.Errorf("%s: %t, %v", expression, got, err)
		}
	}
}
