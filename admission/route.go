package admission

import (
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/inferstack/inferstack/internal/pattern"
)

// The patterns of the HTTPRoute's CRD (gateway-api v1.6 config/crd/standard).
var (
	pathChars   = pattern.Lazy(`^(?:[-A-Za-z0-9/._~!$&'()*+,;=:@]|[%][0-9a-fA-F]{2})+$`)
	tokenChars  = pattern.Lazy("^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$")
	originChars = pattern.Lazy(`(^\*$)|(^(http(s)?):\/\/(((\*\.)?([a-zA-Z0-9\-]+\.)*[a-zA-Z0-9-]+|\*)(:([0-9]{1,5}))?)$)`)
	kindChars   = pattern.Lazy(`^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$`)
)

var methods = []gwapiv1.HTTPMethod{"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"}

// token is the name of a header or a query parameter.
var token = form{func(s string) []string {
	if len(s) > 256 || !tokenChars().MatchString(s) {
		return []string{"no token"}
	}
	return nil
}, "a name of at most 256 letters, digits and !#$%&'*+-.^_`|~"}

func (j *judge) routeMatch(at *field.Path, m *gwapiv1.HTTPRouteMatch) {
	if m.Path != nil {
		j.path(at.Child("path"), m.Path)
	}
	if m.Method != nil {
		need(j, at.Child("method"), *m.Method, methods...)
	}
	j.atMost(at.Child("headers"), len(m.Headers), 16)
	seen := map[string]bool{}
	for i, h := range m.Headers {
		at := at.Child("headers").Index(i)
		if h.Type != nil {
			need(j, at.Child("type"), *h.Type, gwapiv1.HeaderMatchExact, gwapiv1.HeaderMatchRegularExpression)
		}
		j.pair(at, string(h.Name), h.Value, 4096, seen)
	}
	j.atMost(at.Child("queryParams"), len(m.QueryParams), 16)
	seen = map[string]bool{}
	for i, q := range m.QueryParams {
		at := at.Child("queryParams").Index(i)
		if q.Type != nil {
			need(j, at.Child("type"), *q.Type, gwapiv1.QueryParamMatchExact, gwapiv1.QueryParamMatchRegularExpression)
		}
		j.pair(at, string(q.Name), q.Value, 1024, seen)
	}
}

// pair judges a name with a value, of which a list has each name once.
func (j *judge) pair(at *field.Path, name, value string, longest int, seen map[string]bool) {
	j.text(at.Child("name"), name, token)
	if seen[name] {
		j.bad(at.Child("name"), "%q is there twice", name)
	}
	seen[name] = true
	j.there(at.Child("value"), value)
	j.long(at.Child("value"), value, longest)
}

func (j *judge) long(at *field.Path, text string, most int) {
	if n := utf8.RuneCountInString(text); n > most {
		j.bad(at, "must have at most %d characters (has %d)", most, n)
	}
}

func (j *judge) atMost(at *field.Path, n, most int) {
	if n > most {
		j.bad(at, "must be at most %d (got %d)", most, n)
	}
}

func (j *judge) path(at *field.Path, p *gwapiv1.HTTPPathMatch) {
	kind := gwapiv1.PathMatchPathPrefix
	if p.Type != nil {
		kind = *p.Type
		need(j, at.Child("type"), kind, gwapiv1.PathMatchExact, gwapiv1.PathMatchPathPrefix, gwapiv1.PathMatchRegularExpression)
	}
	if p.Value == nil {
		return
	}
	value, at := *p.Value, at.Child("value")
	j.long(at, value, 1024)
	if kind == gwapiv1.PathMatchRegularExpression {
		return
	}
	if !strings.HasPrefix(value, "/") {
		j.bad(at, "must start with / (got %q)", value)
		return
	}
	for _, part := range []string{"//", "/./", "/../", "%2f", "%2F", "#"} {
		if strings.Contains(value, part) {
			j.bad(at, "must not contain %s (got %q)", part, value)
			return
		}
	}
	switch {
	case strings.HasSuffix(value, "/..") || strings.HasSuffix(value, "/."):
		j.bad(at, "must not end with %s (got %q)", value[strings.LastIndex(value, "/"):], value)
	case !pathChars().MatchString(value):
		j.bad(at, "must be made of letters, digits, -/._~!$&'()*+,;=:@ and %%XX for other characters (got %q)", value)
	}
}

// filterMembers names the member that each type of filter has.
var filterMembers = map[gwapiv1.HTTPRouteFilterType]string{
	gwapiv1.HTTPRouteFilterRequestHeaderModifier: "requestHeaderModifier", gwapiv1.HTTPRouteFilterResponseHeaderModifier: "responseHeaderModifier",
	gwapiv1.HTTPRouteFilterRequestMirror: "requestMirror", gwapiv1.HTTPRouteFilterRequestRedirect: "requestRedirect",
	gwapiv1.HTTPRouteFilterURLRewrite: "urlRewrite", gwapiv1.HTTPRouteFilterExtensionRef: "extensionRef", gwapiv1.HTTPRouteFilterCORS: "cors",
}

func (j *judge) routeFilter(at *field.Path, f *gwapiv1.HTTPRouteFilter) {
	need(j, at.Child("type"), f.Type, gwapiv1.HTTPRouteFilterRequestHeaderModifier, gwapiv1.HTTPRouteFilterResponseHeaderModifier,
		gwapiv1.HTTPRouteFilterRequestMirror, gwapiv1.HTTPRouteFilterRequestRedirect, gwapiv1.HTTPRouteFilterURLRewrite,
		gwapiv1.HTTPRouteFilterExtensionRef, gwapiv1.HTTPRouteFilterCORS)
	for _, member := range []struct {
		name string
		set  bool
	}{
		{"requestHeaderModifier", f.RequestHeaderModifier != nil}, {"responseHeaderModifier", f.ResponseHeaderModifier != nil},
		{"requestMirror", f.RequestMirror != nil}, {"requestRedirect", f.RequestRedirect != nil}, {"urlRewrite", f.URLRewrite != nil},
		{"extensionRef", f.ExtensionRef != nil}, {"cors", f.CORS != nil},
	} {
		wanted := filterMembers[f.Type] == member.name
		switch {
		case wanted && !member.set:
			j.bad(at.Child(member.name), "required with type: %s, but missing", f.Type)
		case !wanted && member.set && filterMembers[f.Type] != "":
			j.bad(at.Child(member.name), "cannot be combined with type: %s, which has %s", f.Type, filterMembers[f.Type])
		}
	}
	j.headerFilter(at.Child("requestHeaderModifier"), f.RequestHeaderModifier)
	j.headerFilter(at.Child("responseHeaderModifier"), f.ResponseHeaderModifier)
	if m := f.RequestMirror; m != nil {
		j.mirror(at.Child("requestMirror"), m)
	}
	if w := f.URLRewrite; w != nil {
		if w.Hostname != nil {
			j.text(at.Child("urlRewrite").Child("hostname"), string(*w.Hostname), dnsSubdomain)
		}
		j.pathModifier(at.Child("urlRewrite").Child("path"), w.Path)
	}
	if r := f.RequestRedirect; r != nil {
		j.pathModifier(at.Child("requestRedirect").Child("path"), r.Path)
	}
	if e := f.ExtensionRef; e != nil {
		j.reference(at.Child("extensionRef"), string(e.Group), string(e.Kind), string(e.Name))
	}
	if c := f.CORS; c != nil {
		j.cors(at.Child("cors"), c)
	}
}

func (j *judge) headerFilter(at *field.Path, f *gwapiv1.HTTPHeaderFilter) {
	if f == nil {
		return
	}
	for _, list := range []struct {
		name    string
		headers []gwapiv1.HTTPHeader
	}{{"set", f.Set}, {"add", f.Add}} {
		j.atMost(at.Child(list.name), len(list.headers), 16)
		seen := map[string]bool{}
		for i, h := range list.headers {
			j.pair(at.Child(list.name).Index(i), string(h.Name), h.Value, 4096, seen)
		}
	}
	j.atMost(at.Child("remove"), len(f.Remove), 16)
	j.once(at.Child("remove"), f.Remove)
}

// once refuses what stands twice in a set.
func (j *judge) once(at *field.Path, list []string) {
	for i, v := range list {
		if slices.Contains(list[:i], v) {
			j.bad(at.Index(i), "%q is there twice", v)
		}
	}
}

func (j *judge) mirror(at *field.Path, m *gwapiv1.HTTPRequestMirrorFilter) {
	ref := m.BackendRef
	group, kind := "", "Service"
	if ref.Group != nil {
		group = string(*ref.Group)
	}
	if ref.Kind != nil {
		kind = string(*ref.Kind)
	}
	at, percent := at.Child("backendRef"), at
	j.reference(at, group, kind, string(ref.Name))
	if ref.Namespace != nil {
		j.text(at.Child("namespace"), string(*ref.Namespace), dnsLabel)
	}
	switch {
	case ref.Port != nil:
		j.port(at.Child("port"), *ref.Port)
	case group == "" && kind == "Service":
		j.bad(at.Child("port"), "required for a Service, but missing")
	}
	if m.Percent != nil {
		ranged(j, percent.Child("percent"), *m.Percent, 0, 100)
	}
	if f := m.Fraction; f != nil {
		whole := int32(100)
		if f.Denominator != nil {
			whole = *f.Denominator
			least(j, percent.Child("fraction").Child("denominator"), whole, 1)
		}
		ranged(j, percent.Child("fraction").Child("numerator"), f.Numerator, 0, whole)
		if m.Percent != nil {
			j.bad(percent.Child("fraction"), "must not stand beside percent; remove one of them")
		}
	}
}

func (j *judge) reference(at *field.Path, group, kind, name string) {
	j.optional(at.Child("group"), group, dnsSubdomain)
	if len(kind) > 63 || !kindChars().MatchString(kind) {
		j.bad(at.Child("kind"), "must be the name of a kind, such as Service (got %q)", kind)
	}
	j.there(at.Child("name"), name)
	j.long(at.Child("name"), name, 253)
}

func (j *judge) pathModifier(at *field.Path, p *gwapiv1.HTTPPathModifier) {
	if p == nil {
		return
	}
	need(j, at.Child("type"), p.Type, gwapiv1.FullPathHTTPPathModifier, gwapiv1.PrefixMatchHTTPPathModifier)
	for name, value := range map[string]*string{"replaceFullPath": p.ReplaceFullPath, "replacePrefixMatch": p.ReplacePrefixMatch} {
		wanted := strings.EqualFold(name, string(p.Type))
		switch {
		case wanted && value == nil:
			j.bad(at.Child(name), "required with type: %s, but missing", p.Type)
		case !wanted && value != nil && p.Type != "":
			j.bad(at.Child(name), "cannot be combined with type: %s", p.Type)
		case value != nil:
			j.long(at.Child(name), *value, 1024)
		}
	}
}

func (j *judge) cors(at *field.Path, c *gwapiv1.HTTPCORSFilter) {
	origins, allowed, exposed, verbs := make([]string, len(c.AllowOrigins)), make([]string, len(c.AllowHeaders)), make([]string, len(c.ExposeHeaders)), make([]string, len(c.AllowMethods))
	for i, o := range c.AllowOrigins {
		origins[i] = string(o)
		if len(o) > 253 || !originChars().MatchString(string(o)) {
			j.bad(at.Child("allowOrigins").Index(i), "must be * or an origin such as https://example.com:8443 (got %q)", o)
		}
	}
	for i, h := range c.AllowHeaders {
		allowed[i] = string(h)
		j.text(at.Child("allowHeaders").Index(i), string(h), token)
	}
	for i, h := range c.ExposeHeaders {
		exposed[i] = string(h)
		j.text(at.Child("exposeHeaders").Index(i), string(h), token)
	}
	for i, m := range c.AllowMethods {
		verbs[i] = string(m)
		need(j, at.Child("allowMethods").Index(i), string(m), "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "*")
	}
	for _, list := range []struct {
		name  string
		items []string
		most  int
		star  bool
	}{{"allowOrigins", origins, 64, true}, {"allowHeaders", allowed, 64, true}, {"allowMethods", verbs, 9, true}, {"exposeHeaders", exposed, 64, false}} {
		j.atMost(at.Child(list.name), len(list.items), list.most)
		j.once(at.Child(list.name), list.items)
		if list.star && len(list.items) > 1 && slices.Contains(list.items, "*") {
			j.bad(at.Child(list.name), "* must stand alone")
		}
	}
	if c.MaxAge < 0 {
		j.bad(at.Child("maxAge"), "must be at least 1 (got %d)", c.MaxAge)
	}
}
