// Package explain shows what can be written at a place of an InferenceStack, in the form
// of kubectl explain. It reads no cluster; what there is to say comes from the schema.
package explain

import (
	"fmt"
	"strings"

	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// width is the length of a line of text, with its indentation.
const width = 80

// Field describes one field and, briefly, those in it.
func Field(d document.Description) string {
	var b strings.Builder
	head(&b, d)
	for _, f := range d.Fields {
		fmt.Fprintf(&b, "  %s\n", title(f))
		wrap(&b, f.Text)
		if says(f) {
			wrap(&b, "Allowed: "+f.Accepts)
		}
		if f.Default != "" {
			wrap(&b, "Default: "+f.Default)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Tree describes one field and lists all below it, to any depth.
func Tree(d document.Description) string {
	var b strings.Builder
	head(&b, d)
	tree(&b, "  ", d.Fields)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func tree(b *strings.Builder, indent string, fields []document.Description) {
	for _, f := range fields {
		b.WriteString(indent + title(f))
		if f.Default != "" {
			b.WriteString(" = " + f.Default)
		}
		b.WriteString("\n")
		tree(b, indent+"  ", f.Fields)
	}
}

// head is the part that both forms begin with.
func head(b *strings.Builder, d document.Description) {
	group, version, _ := strings.Cut(schema.APIVersion, "/")
	fmt.Fprintf(b, "GROUP:      %s\nKIND:       %s\nVERSION:    %s\n\n", group, schema.Kind, version)
	if d.Path != "" {
		fmt.Fprintf(b, "FIELD: %s <%s>\n", d.Path, d.Type)
		if d.Required {
			b.WriteString("REQUIRED\n")
		}
		if d.Default != "" {
			fmt.Fprintf(b, "DEFAULT: %s\n", d.Default)
		}
		if says(d) {
			fmt.Fprintf(b, "ALLOWED: %s\n", d.Accepts)
		}
		b.WriteString("\n")
	}
	b.WriteString("DESCRIPTION:\n")
	wrap(b, d.Text)
	wrap(b, d.About)
	if len(d.Fields) > 0 {
		b.WriteString("\nFIELDS:\n")
	}
}

func title(f document.Description) string {
	if f.Required {
		return fmt.Sprintf("%s\t<%s> -required-", f.Name, f.Type)
	}
	return fmt.Sprintf("%s\t<%s>", f.Name, f.Type)
}

// says tells whether what a field accepts is more than its type says.
func says(d document.Description) bool {
	switch d.Accepts {
	case "", "a string", "an integer", "a number", "true or false":
		return false
	}
	return true
}

// indent stands before every line of a text.
const indent = "    "

// wrap writes text in lines that are not longer than width, unless a word is.
func wrap(b *strings.Builder, text string) {
	length := 0
	for _, word := range strings.Fields(text) {
		runes := len([]rune(word))
		switch {
		case length == 0:
			b.WriteString(indent)
			length = len(indent)
		case length+1+runes > width:
			b.WriteString("\n" + indent)
			length = len(indent)
		default:
			b.WriteString(" ")
			length++
		}
		b.WriteString(word)
		length += runes
	}
	if length > 0 {
		b.WriteString("\n")
	}
}
