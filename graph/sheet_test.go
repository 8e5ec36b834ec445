package graph

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// eachSheet lays out every set, folded and whole.
func eachSheet(t *testing.T, check func(t *testing.T, s *sheet)) {
	for name, objects := range sets(t) {
		for _, all := range []bool{false, true} {
			if all {
				name += "-all"
			}
			t.Run(name, func(t *testing.T) {
				long.Case(t, 3)
				check(t, newSheet(Draw(objects, Options{All: all})))
			})
		}
	}
}

// TestNoOverlap proves that no two cards touch and that all are on the sheet and in
// their band, with their text inside.
func TestNoOverlap(t *testing.T) {
	eachSheet(t, func(t *testing.T, s *sheet) {
		for i, n := range s.Nodes {
			a := s.cards[n]
			if a == nil {
				t.Fatal("no card for", n.Kind, n.Name)
			}
			if a.x < margin/2 || a.y < margin || a.right() > s.width-margin/2 || a.bottom() > s.height {
				t.Errorf("%s is not on the sheet", n.Name)
			}
			for _, m := range s.Nodes[:i] {
				b := s.cards[m]
				if a.x < b.right()+4 && b.x < a.right()+4 && a.y < b.bottom()+4 && b.y < a.bottom()+4 {
					t.Errorf("%s %s and %s %s overlap", n.Kind, n.Name, m.Kind, m.Name)
				}
			}
			inside(t, a)
		}
		for i, f := range s.frames {
			for _, n := range f.Nodes {
				c := s.cards[n]
				if c.y < f.y || c.bottom() > f.y+f.h || c.x >= f.x && c.right() > f.x+f.w {
					t.Errorf("%s is not in its band", n.Name)
				}
			}
			if i > 0 && f.y < s.frames[i-1].y+s.frames[i-1].h {
				t.Errorf("bands %d and %d overlap", i-1, i)
			}
		}
	})
}

// inside reports whether a card's text is.
func inside(t *testing.T, c *card) {
	t.Helper()
	fonts := map[string]font{"kind": kindFont, "holds": kindFont, "fact": factFont, "name": nameFont, "name part": partFont, "name mid": nameFont}
	for _, l := range c.lines {
		f, ok := fonts[l.class]
		if !ok {
			t.Fatal("unknown class", l.class)
		}
		right := l.x + f.width(l.text)
		if l.class == "name mid" {
			right = l.x + f.width(l.text)/2
		}
		if right > c.w-textRight+1 || l.y+3 > c.h || l.y < f.size {
			t.Errorf("%q does not fit in the card of %s", l.text, c.Name)
		}
	}
}

// wellFormed reads a document as XML to the end, and returns the ids.
func wellFormed(t *testing.T, text string) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return ids
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			if a.Name.Local == "id" {
				if ids[a.Value] {
					t.Errorf("two elements are called %s", a.Value)
				}
				ids[a.Value] = true
			}
			if strings.Contains(a.Value, "://") && a.Name.Local != "xmlns" {
				t.Errorf("%s=%s is an address", a.Name.Local, a.Value)
			}
		}
		if name := start.Name.Local; name == "script" || name == "image" || name == "a" || name == "foreignObject" {
			t.Errorf("<%s> is not a part of a picture", name)
		}
	}
}

// TestWellFormed reads every SVG as XML; each node and edge is in it.
func TestWellFormed(t *testing.T) {
	eachSheet(t, func(t *testing.T, s *sheet) {
		var out strings.Builder
		if err := SVG(&out, s.Picture); err != nil {
			t.Fatal(err)
		}
		ids := wellFormed(t, out.String())
		for _, n := range s.Nodes {
			if !ids[n.ID] {
				t.Errorf("%s %s is not drawn", n.Kind, n.Name)
			}
		}
		for _, e := range s.edges {
			if !ids[e.ID] {
				t.Errorf("edge %s is not drawn", e.ID)
			}
		}
	})
}
