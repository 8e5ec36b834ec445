package graph

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page's script and style
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

//go:embed page.js
var pageScript string

//go:embed page.css
var pageStyle string

const pageBody = `<header>
<h1>%s</h1>
<input id="search" type="search" placeholder="Search (/)" aria-label="Search in names and YAML">
<span id="found" role="status"></span>
<select id="path" aria-label="Path" hidden></select>
<button id="walk" type="button" aria-pressed="false">Request path</button>
<button id="size" type="button" aria-pressed="false">100%%</button>
<div id="steps" hidden>
<button id="back" type="button" aria-label="Step back">←</button>
<button id="next" type="button" aria-label="Next step">→</button>
<span id="number"></span>
<span id="text" role="status"></span>
<span id="count"></span>
</div>
</header>
<main id="picture">
`

// HTML writes a page that holds all it needs: the picture, the YAML of each object and a
// script that shows them. Its content security policy admits that script and style by
// their hashes and nothing else, so that the page can load and send nothing.
func HTML(w io.Writer, p *Picture) error {
	s := newSheet(p)
	data, err := json.Marshal(dataOf(s)) // escapes < and >, so that no name ends the element
	if err != nil {
		return err
	}
	title, _ := s.title()
	style := svgStyle + pageStyle
	var out strings.Builder
	fmt.Fprintf(&out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n",
		"default-src 'none'; script-src '"+hash(pageScript)+"'; style-src '"+hash(style)+"'; base-uri 'none'; form-action 'none'")
	fmt.Fprintf(&out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n", escape(title), style)
	fmt.Fprintf(&out, pageBody, escape(title))
	svg(&out, s, true)
	out.WriteString("</main>\n<aside id=\"panel\" aria-label=\"Details\" aria-live=\"polite\"></aside>\n")
	fmt.Fprintf(&out, "<script type=\"application/json\" id=\"data\">%s</script>\n<script>%s</script>\n</body>\n</html>\n", bytes.TrimSpace(data), pageScript)
	_, err = io.WriteString(w, out.String())
	return err
}

// hash is how a content security policy names a script or style.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
