package wiring

import (
	"hash/maphash"
	"strings"
	"sync"
)

// A speller finds the name among many that a wrong one was most likely meant to be, as near
// does, without a look at each: names that are one slip apart are the same once the right
// letter of each is left out.
type speller struct {
	names []string
	bare  map[string]int
	slips map[uint64][]int32
}

var spelling = maphash.MakeSeed()

func newSpeller(names []string) *speller {
	s := &speller{names: names, bare: map[string]int{}, slips: map[uint64][]int32{}}
	for i, name := range names {
		if _, ok := s.bare[bare(name)]; !ok {
			s.bare[bare(name)] = i
		}
		shortened(name, func(hash uint64) { s.slips[hash] = append(s.slips[hash], int32(i)) })
	}
	return s
}

// bare is a name without separators and case.
func bare(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
}

// shortened visits hashes of the name, and of the name without each of its letters.
func shortened(name string, visit func(hash uint64)) {
	visit(maphash.String(spelling, name))
	for i := range len(name) {
		visit(maphash.String(spelling, name[:i]+name[i+1:]))
	}
}

func (s *speller) near(wrong string) string {
	if i, ok := s.bare[bare(wrong)]; ok {
		return s.names[i]
	}
	best := int32(len(s.names))
	shortened(wrong, func(hash uint64) {
		for _, i := range s.slips[hash] {
			if i < best && isSlip(wrong, s.names[i]) {
				best = i
			}
		}
	})
	if int(best) < len(s.names) {
		return s.names[best]
	}
	return ""
}

// A speller is not worth its making for a few questions.
const fewQuestions = 16

// nearest remembers which names were meant.
type nearest struct {
	asked remembered[slot, string]
	mutex sync.Mutex
	// spellers by kind and namespace, and how often each was asked for.
	spellers map[slot]*speller
	times    map[slot]int
}

// near is the name of an object of the kind and namespace that a reference may mean, "" when
// there is none.
func (x *index) near(to Ref) string {
	at := slot{to.Kind, spaceOf(to.Namespace), to.Name}
	return x.nearest.asked.of(at, func() string { return x.nearest.find(at, x.names[to.Kind]) })
}

func (n *nearest) find(at slot, all *spread[string]) string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	var names []string
	gather := func() {
		all.in(at.namespace, func(i int) bool { names = append(names, all.all[i]); return true })
	}
	row := slot{at.kind, at.namespace, ""}
	if n.times[row]++; n.times[row] <= fewQuestions {
		gather()
		return Near(at.name, names)
	}
	if n.spellers[row] == nil {
		gather()
		n.spellers[row] = newSpeller(names)
	}
	return n.spellers[row].near(at.name)
}
