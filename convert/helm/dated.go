package helm

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
	catalogue "github.com/inferstack/inferstack/release"
)

// dated judges values by the release of the chart. Those that it does not read are left out. Where
// nobody says which release it is, a value counts that any of them reads, and one that none does is
// said to have an effect that it had not.
func (r *release) dated(p *draft.Part, c *chart) {
	name := c.name
	if c.flag == "--pool" && r.values.PoolChart != "" {
		name = r.values.PoolChart
		r.released(p, name)
	}
	for _, v := range catalogue.ChartValues(name) {
		n := p.Doc.At(v.Path)
		switch {
		case n == nil:
		case r.version != "" && (v.Never() || !v.Holds(r.version)):
			p.On("", v.Path).Dropped().Warn("left out: it has had no effect, since %s %s does not read it", name, r.version)
			without(p.Doc.Node, strings.Split(v.Path, "."))
		case r.version == "" && v.Never():
			p.On("", v.Path).Warn("no release of the chart %s from %s on reads %s; in the stack it has an effect", name, v.Until, v.Path[strings.LastIndex(v.Path, ".")+1:])
		}
	}
}

// released warns of a release of the chart that has no EPP here: it follows the release of that.
func (r *release) released(p *draft.Part, name string) {
	parts := strings.Split(r.version, ".")
	if len(parts) < 2 {
		return
	}
	epp := "gie-"
	if name == gatewayChart || name == standaloneChart {
		epp = "llm-d-"
	}
	if _, err := catalogue.LoadDialect(epp + parts[0] + "." + parts[1]); err != nil {
		p.On("", "").Warn("release %s of the chart %s is not known here; its values are judged as those of the newest one that is", r.version, name)
	}
}

// without takes the value at a path out of a tree.
func without(n *yaml.Node, path []string) {
	switch at := keyAt(n, path[0]); {
	case at < 0:
	case len(path) == 1:
		n.Content = append(n.Content[:at], n.Content[at+2:]...)
	default:
		without(n.Content[at+1], path[1:])
	}
}
