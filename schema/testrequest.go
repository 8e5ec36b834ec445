package schema

import (
	"strings"

	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
)

// ChatCompletions is the path at which servers answer chat completions.
const ChatCompletions = "/v1/chat/completions"

// A TestRequest is a chat completion that the route leads to this stack's servers.
type TestRequest struct {
	// Host is "" where any will do.
	Host    string
	Path    string
	Headers map[string]string
}

// TestRequest makes a request that a rule of the route takes. It reports false where no rule
// says so plainly that one can be made.
func (s *Stack) TestRequest() (TestRequest, bool) {
	request := TestRequest{Path: ChatCompletions}
	g := s.Spec.Gateway
	if g == nil {
		return request, true
	}
	if g.Standalone() {
		request.Host = s.testHost(s.Spec.Route.Hostnames)
		return request, true
	}
	for _, r := range s.RouteRules() {
		leads := false
		for _, b := range r.Backends {
			leads = leads || b.Own && b.Weight > 0
		}
		matches := r.Matches
		if len(matches) == 0 {
			matches = []gwapiv1.HTTPRouteMatch{{}}
		}
		for i := range matches {
			if made, ok := taken(&matches[i], r.Filters); ok && leads {
				made.Host = s.testHost(r.Hostnames)
				return made, true
			}
		}
	}
	return request, false
}

// testHost is a host name of the route, or of the listener.
func (s *Stack) testHost(names []string) string {
	name := ""
	if len(names) > 0 {
		name = names[0]
	} else if l := s.TestListener(); l != nil {
		name = l.Hostname
	}
	if suffix, wild := strings.CutPrefix(name, "*"); wild {
		return "smoke-test" + suffix
	}
	return name
}

// TestListener is the listener of the main gateway that a test asks, nil for the one that is
// there by default or is not known: that of the route, else one without TLS before others.
func (s *Stack) TestListener() (found *Listener) {
	g := s.Spec.Gateway
	if g == nil {
		return nil
	}
	for i := range g.Listeners {
		l := &g.Listeners[i]
		switch section := s.Spec.Route.SectionName; {
		case section != "" && section != l.Name:
		case found == nil || found.Protocol == "HTTPS" && l.Protocol == "HTTP":
			found = l
		}
	}
	return found
}

// taken makes a chat completion that a match takes and the filters hand on as one.
func taken(m *gwapiv1.HTTPRouteMatch, filters []gwapiv1.HTTPRouteFilter) (TestRequest, bool) {
	out := TestRequest{Headers: map[string]string{}}
	if m.Method != nil && *m.Method != gwapiv1.HTTPMethodPost || len(m.QueryParams) > 0 {
		return out, false
	}
	for _, h := range m.Headers {
		if h.Type != nil && *h.Type != gwapiv1.HeaderMatchExact {
			return out, false
		}
		out.Headers[string(h.Name)] = h.Value
	}
	path, prefix := "/", true
	if m.Path != nil && m.Path.Value != nil {
		path = *m.Path.Value
	}
	if m.Path != nil && m.Path.Type != nil {
		prefix = *m.Path.Type == gwapiv1.PathMatchPathPrefix
		if *m.Path.Type == gwapiv1.PathMatchRegularExpression {
			return out, false
		}
	}
	var ok bool
	out.Path, ok = requestPath(path, prefix, rewrites(filters))
	return out, ok
}

func rewrites(filters []gwapiv1.HTTPRouteFilter) *gwapiv1.HTTPPathModifier {
	for _, f := range filters {
		if f.URLRewrite != nil {
			return f.URLRewrite.Path
		}
	}
	return nil
}

// requestPath is the path that, matched and rewritten, is that of a chat completion.
func requestPath(match string, prefix bool, to *gwapiv1.HTTPPathModifier) (string, bool) {
	trimmed := strings.TrimSuffix(match, "/")
	switch {
	case to == nil && prefix:
		return ChatCompletions, strings.HasPrefix(ChatCompletions+"/", trimmed+"/")
	case to == nil:
		return match, match == ChatCompletions
	case to.ReplaceFullPath != nil:
		return match, *to.ReplaceFullPath == ChatCompletions
	case to.ReplacePrefixMatch != nil && prefix:
		rest, found := strings.CutPrefix(ChatCompletions, strings.TrimSuffix(*to.ReplacePrefixMatch, "/"))
		return trimmed + rest, found && (rest == "" || rest[0] == '/')
	default:
		return "", false
	}
}
