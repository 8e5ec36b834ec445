package wiring

import (
	"maps"
	"slices"
	"strings"
)

// A shelf finds what selectors take, pods or Services, by a label rather than one by one. What
// a selector takes is found once, however many objects have the same one.
type shelf[T any] struct {
	spread[T]
	labels func(T) map[string]string
	// having are the places of what has a label.
	having map[label][]int
	taken  remembered[string, []T]
}

// A label with its value, of things in a namespace.
type label struct{ namespace, key, value string }

func newShelf[T any](things []T, namespace func(T) string, labels func(T) map[string]string) *shelf[T] {
	s := &shelf[T]{labels: labels, having: map[label][]int{}}
	for i, thing := range things {
		space := spaceOf(namespace(thing))
		s.add(space, thing)
		for k, v := range labels(thing) {
			s.having[label{space, k, v}] = append(s.having[label{space, k, v}], i)
			s.having[label{everySpace, k, v}] = append(s.having[label{everySpace, k, v}], i)
		}
	}
	return s
}

// take is what a selector takes in a namespace, in order. The list is shared: it is not to be
// changed.
func (s *shelf[T]) take(namespace string, q question) []T {
	space := spaceOf(namespace)
	return s.taken.of(space+"\x00"+q.text, func() []T {
		var out []T
		s.candidates(space, q, func(i int) bool {
			if q.takes(s.labels(s.all[i])) {
				out = append(out, s.all[i])
			}
			return true
		})
		return slices.Clip(out)
	})
}

// candidates visits what has the rarest of the labels that are asked for.
func (s *shelf[T]) candidates(space string, q question, visit func(i int) bool) {
	rarest, least := -1, 0
	for i, values := range q.labels {
		if n := s.count(space, values); rarest < 0 || n < least {
			rarest, least = i, n
		}
	}
	if rarest < 0 {
		s.in(space, visit)
		return
	}
	if space == "" {
		merge(s.with(everySpace, q.labels[rarest]), nil, visit)
		return
	}
	merge(s.with(space, q.labels[rarest]), s.with("", q.labels[rarest]), visit)
}

// count is how many things have one of some labels.
func (s *shelf[T]) count(space string, one []label) int {
	n := 0
	for _, l := range one {
		if space == "" {
			n += len(s.having[label{everySpace, l.key, l.value}])
		} else {
			n += len(s.having[label{space, l.key, l.value}]) + len(s.having[label{"", l.key, l.value}])
		}
	}
	return n
}

// with are the places of what has one of some labels, in a namespace or in all.
func (s *shelf[T]) with(space string, one []label) []int {
	var out []int
	for _, l := range one {
		list := s.having[label{space, l.key, l.value}]
		if len(one) == 1 {
			return list
		}
		out = append(out, list...)
	}
	slices.Sort(out)
	return out
}

// A question is what a selector asks for.
type question struct {
	// text is the same for questions that are.
	text string
	// labels that must be there, each with one of some values.
	labels [][]label
	takes  func(labels map[string]string) bool
}

// anything is the question that everything is an answer to.
var anything = question{text: "*", takes: func(map[string]string) bool { return true }}

// matching asks for labels that are all there; nothing asked for takes nothing.
func matching(matchLabels field) question {
	selector := matchLabels.texts()
	q := question{takes: func(labels map[string]string) bool { return selects(selector, labels) }}
	q.text = q.all(matchLabels)
	return q
}

// matchingPairs is matching for labels that a flag names.
func matchingPairs(selector map[string]string) question {
	q := question{takes: func(labels map[string]string) bool { return selects(selector, labels) }}
	for _, k := range slices.Sorted(maps.Keys(selector)) {
		q.text += q.pair(k, selector[k])
	}
	return q
}

// selecting asks for what a label selector says, where {} takes all.
func selecting(selector field) question {
	q := question{takes: func(labels map[string]string) bool { return selectsAll(selector, labels) }}
	var text strings.Builder
	text.WriteString("?" + q.all(selector.at("matchLabels")))
	for _, e := range selector.at("matchExpressions").list() {
		key, operator, values := e.at("key").text(), e.at("operator").text(), e.at("values").words()
		text.WriteString("\x00" + operator + " " + key + " " + strings.Join(values, "\x01"))
		if operator == "In" {
			var one []label
			for _, v := range slices.Compact(slices.Sorted(slices.Values(values))) {
				one = append(one, label{"", key, canonical(key, v)})
			}
			q.labels = append(q.labels, one)
		}
	}
	q.text = text.String()
	return q
}

// all asks for each label of a mapping, and returns them as a text. One that has no value is
// also asked for of what does not have the label.
func (q *question) all(matchLabels field) string {
	var text strings.Builder
	for _, k := range matchLabels.keys() {
		text.WriteString(q.pair(k, canonical(k, matchLabels.at(k).text())))
	}
	return text.String()
}

func (q *question) pair(key, value string) string {
	if value != "" {
		q.labels = append(q.labels, []label{{"", key, value}})
	}
	return key + "=" + value + "\x00"
}
