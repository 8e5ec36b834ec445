package wiring

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/internal/argv"
	"github.com/inferstack/inferstack/internal/shell"
	"github.com/inferstack/inferstack/release"
)

// A container and what its command line says.
type container struct {
	field
	init  bool
	name  string
	image string
	// known is what the catalogue knows of the image, nil when it has no version or is
	// somebody's own.
	known *release.Known
	// words of command and args, with variables of the container filled in.
	words []string
	flags map[string]flag
	env   map[string]field
	trade trade
}

// A flag of a command line. Bare says that it stands without a value; detached that its
// value is the next word.
type flag struct {
	value          string
	bare, detached bool
	at             field
	// word is its place on the command line: the last of two counts.
	word int
}

func newContainer(f field, init bool) *container {
	c := &container{field: f, init: init, name: f.at("name").text(), image: f.at("image").text(), env: map[string]field{}}
	c.known = release.OfImage(c.image)
	for _, e := range f.at("env").list() {
		c.env[e.at("name").text()] = e
	}
	var at []field
	for _, list := range []string{"command", "args"} {
		for _, item := range f.at(list).list() {
			for _, word := range c.split(item.text()) {
				c.words, at = append(c.words, c.expand(word)), append(at, item)
			}
		}
	}
	c.parse(at)
	c.learn()
	return c
}

// split takes a shell script apart roughly, which is enough to find flags in it; a
// single argument it leaves alone.
func (c *container) split(text string) []string {
	if strings.HasPrefix(text, "-") || !strings.Contains(text, " --") && !strings.Contains(text, "\n--") {
		return []string{text}
	}
	return strings.Fields(os.Expand(strings.NewReplacer("\\\n", " ", `"`, "", "'", "").Replace(shell.Uncommented(text)), c.variable))
}

// variable is what a shell makes of $VAR, where the value is written in the manifest.
func (c *container) variable(name string) string {
	if value := c.env[name].at("value"); value.is() {
		return value.text()
	}
	return "$" + name
}

// expand fills in $(VAR) as the kubelet does, where the value is written in the manifest.
func (c *container) expand(word string) string {
	for name, e := range c.env {
		if value := e.at("value"); value.is() {
			word = strings.ReplaceAll(word, "$("+name+")", value.text())
		}
	}
	return word
}

func (c *container) parse(at []field) {
	c.flags = map[string]flag{}
	for w := range argv.Of(c.words) {
		if name := w.Flag(); w.IsFlag() && name != "" {
			c.flags[name] = flag{value: w.Value, at: at[w.At], word: w.At, bare: !w.Joined() && !w.Detached(), detached: w.Detached()}
		}
	}
}

// flag is the value of the first of the flags that is given.
func (c *container) flag(names ...string) string {
	f, _ := c.given(names...)
	return f.value
}

// given is the first of the flags that is there. Underscores are hyphens to vLLM.
func (c *container) given(names ...string) (flag, bool) {
	for _, name := range names {
		hyphens, ok := c.flags[name]
		underscores, other := c.flags[strings.ReplaceAll(name, "-", "_")]
		switch {
		case other && (!ok || underscores.word > hyphens.word):
			return underscores, true
		case ok:
			return hyphens, true
		}
	}
	return flag{at: c.field}, false
}

// on is the value of a boolean flag.
func (c *container) on(name string, otherwise bool) bool {
	f, ok := c.flags[name]
	if !ok {
		return otherwise
	}
	if f.bare || f.detached {
		return true // pflag does not take the next word as a boolean's value
	}
	b, err := strconv.ParseBool(f.value)
	return err == nil && b
}

// port is a flag that is a port; known says that its value can be told.
func (c *container) port(otherwise int, names ...string) (port int, known bool) {
	f, ok := c.given(names...)
	if !ok {
		return otherwise, true
	}
	n, err := strconv.Atoi(f.value)
	return n, err == nil
}

func (c *container) hasPort(port string) bool {
	return slices.ContainsFunc(c.at("ports").list(), func(p field) bool {
		return p.at("name").text() == port || p.at("containerPort").text() == port
	})
}

// has reports whether words follow each other on the command line.
func (c *container) has(words string) bool {
	return strings.Contains(" "+strings.Join(c.words, " ")+" ", " "+words+" ")
}

// imageIs reports whether the image's path has one of the parts.
func (c *container) imageIs(parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(c.image, part) })
}

// eachContainer visits the containers of all pods.
func eachContainer(g *G, visit func(p *Pods, c *container)) {
	for _, p := range g.Pods {
		for _, c := range p.containers {
			visit(p, c)
		}
	}
}
