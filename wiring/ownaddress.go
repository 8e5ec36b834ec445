package wiring

import (
	"net"
	"slices"
	"strconv"
	"strings"
)

// wantsOwnAddress wants a variable by which a server tells others where to fetch from it to be
// the pod's address. What it does is said of the server when the variable is not set at all.
func (p *Pods) wantsOwnAddress(r *report, c *container, variable, does string) {
	scripted := slices.ContainsFunc(c.words, func(word string) bool { return strings.Contains(word, variable) })
	e, set := c.env[variable]
	if scripted || !set && c.at("envFrom").is() {
		return
	}
	const remedy = "set it from fieldRef status.podIP"
	if !set {
		r.add(p.place(c.at("env")), Ref{}, "%s %s without %s", c.name, does, variable).fix(remedy)
		return
	}
	if said := p.notOwn(c.meant(e)); said != "" {
		at := e
		for _, key := range []string{"value", "valueFrom"} {
			if e.at(key).is() {
				at = e.at(key)
			}
		}
		r.add(p.place(at), Ref{}, "%s %s, and %s is %s, which is not the pod's address", c.name, does, variable, said).fix(remedy)
	}
}

// meant is the variable that another one stands for: $(POD_IP) alone as its value.
func (c *container) meant(e field) field {
	name, ok := strings.CutPrefix(e.at("value").text(), "$(")
	if other, is := c.env[strings.TrimSuffix(name, ")")]; ok && is {
		return other
	}
	return e
}

// notOwn is what a variable has in place of an address by which others find the pod, "" when it
// may be one.
func (p *Pods) notOwn(e field) string {
	onHost := p.spec.at("hostNetwork").text() == "true"
	switch path := e.at("valueFrom", "fieldRef", "fieldPath").text(); {
	case path == "status.podIP" || path == "status.podIPs" || templated(path):
		return ""
	case path == "status.hostIP" || path == "status.hostIPs" || path == "spec.nodeName":
		if onHost {
			return ""
		}
		return path
	case path != "" && strings.EqualFold(path, "status.podIP"):
		return "" // refused-field says so
	case path != "":
		return path
	case e.at("valueFrom").is():
		return ""
	}
	host := e.at("value").text()
	ip := net.ParseIP(strings.Trim(host, "[]"))
	if host == "" || strings.EqualFold(host, "localhost") || ip.IsLoopback() || ip.IsUnspecified() {
		return strconv.Quote(host)
	}
	return ""
}
