package graph

import "strconv"

// The fonts of a card.
var (
	kindFont  = font{size: 10.5}
	nameFont  = font{size: 14, bold: true}
	factFont  = font{size: 11.5}
	partFont  = font{size: 12, bold: true}
	titleFont = font{size: 12.5, bold: true}
	stepFont  = font{size: 12.5}
)

// Widths of the cards of each lane, and of the gaps before them.
var (
	widths = [lanes]float64{76, 166, 166, 200, 200}
	gaps   = [lanes]float64{0, 56, 58, 84, 64}
)

// A line is a line of text on a card, from the card's corner.
type line struct {
	class, text string
	x, y        float64
}

// A card is a node with its size, its lines and its place.
type card struct {
	*Node
	x, y, w, h float64
	lines      []line
}

func (c *card) middle() float64 { return c.y + c.h/2 }
func (c *card) right() float64  { return c.x + c.w }
func (c *card) bottom() float64 { return c.y + c.h }

const (
	textLeft  = 19
	textRight = 10
)

// newCard sets the text of a node.
func newCard(n *Node, width float64, brief bool) *card {
	c := &card{Node: n, w: width}
	if n.Role == Caller {
		c.h = 40
		c.lines = []line{{"name mid", n.Name, width / 2, 25}}
		return c
	}
	inner := width - textLeft - textRight
	if len(n.Findings) > 0 {
		inner -= 18
	}
	y := 9.0
	put := func(class string, lines []string, height float64) {
		for _, text := range lines {
			y += height
			c.lines = append(c.lines, line{class, text, textLeft, y - 3})
		}
	}
	if n.Kind != "" {
		put("kind", kindFont.wrap(n.Kind, inner, 2), 14)
	}
	inner = width - textLeft - textRight
	if n.Parent != nil {
		put("name part", partFont.wrap(n.Name, inner, 2), 16)
	} else {
		put("name", nameFont.wrap(n.Name, inner, 3), 18)
	}
	if len(n.Facts)+len(n.Holds) > 0 {
		y += 3
	}
	for _, f := range n.Facts {
		if !brief || n.Role != Picker || f != imageName(n.traits.Image) {
			put("fact", factFont.wrap(f, inner, 2), 15)
		}
	}
	if len(n.Holds) > 0 {
		y += 2
		held := n.held()
		if brief {
			held = strconv.Itoa(len(n.Holds)) + " more"
		}
		put("holds", kindFont.wrap("+ "+held, inner, 4), 14)
	}
	c.h = y + 9
	return c
}
