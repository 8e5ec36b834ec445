package gotemplate

import "testing"

// TestErrors has templates that text/template refuses as well.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a\n{{.no_such}}":              "template line 2 at <.no_such>: there is no no_such",
		"{{.map.c.x}}":                 "template line 1 at <.map.c.x>: there is no x",
		"{{.name.x}}":                  "template line 1 at <.name.x>: x of the string \"qwen\"",
		"\n\n{{quote .name}}":          `template line 3: function "quote" not defined`,
		"{{if}}":                       "template line 1: missing value for if",
		"{{range .name}}{{end}}":       "template line 1 at <.name>: range over the string \"qwen\"",
		"{{range $i, $e := 3}}{{end}}": "template line 1 at <$i, $e := 3>: range over a number has one variable at most",
		"{{upper}}":                    "template line 1 at <upper>: number of arguments: 0, not 1",
		"{{upper .n}}":                 "template line 1 at <upper>: an argument is the int 3, not of type string",
		"{{sum 1 2 \"3\"}}":            "template line 1 at <sum>: an argument is the string \"3\", not of type int",
		"{{boom .name}}":               "template line 1 at <boom>: strings: negative Repeat count",
		"{{.name 1}}":                  "template line 1 at <.name 1>: .name is not a function, and has an argument",
		"{{1 | .name}}":                "template line 1 at <.name>: .name is not a function, and has an argument",
		"{{eq 1 1.0}}":                 "template line 1 at <eq>: compares the int 1 with the float64 1",
		"{{eq .list .list}}":           "template line 1 at <eq>: compares a list with a list",
		"{{lt true false}}":            "template line 1 at <lt>: compares the bool true with the bool false",
		"{{eq 1}}":                     "template line 1 at <eq>: wants two arguments or more",
		"{{index .list 3}}":            "template line 1 at <index>: the position 3 is not from 0 to 2",
		"{{index nil 1}}":              "template line 1 at <index>: index of nothing",
		"{{slice .name 3 1}}":          "template line 1 at <slice>: slice from 3 to 1",
		"{{len .n}}":                   "template line 1 at <len>: the length of the int 3",
		"{{and}}":                      "template line 1 at <and>: wants an argument",
		"{{define \"t\"}}\n{{.x}}{{end}}\n{{template \"t\" .map}}": "template line 2 at <.x>: there is no x",
		"{{template \"no\"}}":      `template line 1 at <{{template "no"}}>: there is no template "no"`,
		"{{18446744073709551615}}": "template line 1 at <18446744073709551615>: the number is too large, or complex",
	} {
		if _, err := reference(text, "missingkey=error"); err == nil {
			t.Errorf("%s: text/template accepts it", text)
		}
		if got, err := evaluate(text, false); err == nil || err.Error() != want {
			t.Errorf("%s\n got: %q, %v\nwant: %s", text, got, err, want)
		}
	}
}

// TestStricter has templates of which text/template makes something.
func TestStricter(t *testing.T) {
	for text, want := range map[string]string{
		"{{.no_such}}":                 "template line 1 at <.no_such>: there is no value",
		"\n{{index .map \"no_such\"}}": `template line 2 at <index .map "no_such">: there is no value`,
		"{{1i}}":                       "template line 1 at <1i>: the number is too large, or complex",
		"{{html .name}}":               `template line 1: function "html" not defined`,
		"{{define \"t\"}}{{template \"t\"}}{{end}}{{template \"t\"}}": `template line 1 at <{{template "t"}}>: templates are inside each other more than 1000 times`,
	} {
		if got, err := evaluate(text, true); err == nil || err.Error() != want {
			t.Errorf("%s\n got: %q, %v\nwant: %s", text, got, err, want)
		}
	}
}

func TestListOfAnythingIsOneOfStrings(t *testing.T) {
	if got, err := evaluate(`{{join "-" .list}}`, false); err != nil || got != "a-b-3" {
		t.Errorf("got %q, %v", got, err)
	}
}
