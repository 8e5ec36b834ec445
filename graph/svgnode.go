package graph

import (
	"fmt"
	"strings"

	"github.com/inferstack/inferstack/wiring"
)

// node draws a card.
func (s *sheet) node(out *strings.Builder, c *card, live bool) {
	attributes := ""
	if live {
		attributes = fmt.Sprintf(` tabindex="0" role="button" aria-label="%s"`, escape(strings.TrimSpace(c.Kind+" "+c.Name)))
	}
	fmt.Fprintf(out, `<g id="%s" class="node n-%s"%s transform="translate(%s %s)"><title>%s</title>`, c.ID, c.class(), attributes, num(c.x), num(c.y), escape(c.tip()))
	if c.Role == Caller {
		fmt.Fprintf(out, `<rect class="box" width="%s" height="%s" rx="20"/>`, num(c.w), num(c.h))
	} else {
		fmt.Fprintf(out, `<rect class="box" width="%s" height="%s" rx="8"/><rect class="bar" x="7" y="8" width="4" height="%s" rx="2"/>`, num(c.w), num(c.h), num(c.h-16))
	}
	for _, l := range c.lines {
		fmt.Fprintf(out, `<text class="%s" x="%s" y="%s">%s</text>`, l.class, num(l.x), num(l.y), escape(l.text))
	}
	if len(c.Findings) > 0 {
		fmt.Fprintf(out, `<g><circle class="flag %s" cx="%s" cy="15" r="8"/><text class="number" x="%[2]s" y="19">!</text></g>`, c.worst(), num(c.w-15))
	}
	out.WriteString("</g>\n")
}

// tip is all that is known of a node, also what had no room.
func (c *card) tip() string {
	var text strings.Builder
	text.WriteString(strings.TrimSpace(c.Kind + " " + c.Name))
	if c.Ref.Namespace != "" {
		text.WriteString(" in " + c.Ref.Namespace)
	}
	for _, f := range c.Facts {
		text.WriteString("; " + f)
	}
	for _, o := range c.Holds {
		text.WriteString("; " + o.Kind + " " + o.Name)
	}
	for _, f := range c.Findings {
		text.WriteString("; " + string(f.Severity) + ": " + f.Message)
	}
	return text.String()
}

// worst severity of a node's findings.
func (n *Node) worst() wiring.Severity {
	if wiring.Failed(n.Findings) {
		return wiring.Error
	}
	return wiring.Warning
}
