package pilot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/manifests"
)

// facts is what one set of manifests asks of the control plane.
type facts struct {
	objects []*unstructured.Unstructured
	// picked maps the name of each Envoy route that must pass an endpoint picker to that picker's cluster; the value is
	// empty where only an EnvoyFilter knows it.
	picked map[string]string
	// pickers are the clusters of the endpoint pickers of all pools.
	pickers []string
	native  bool
}

// read finds in the manifests which routes lead to which pool.
func read(objects []*unstructured.Unstructured) facts {
	f := facts{objects: objects, picked: map[string]string{}}
	pools := map[string]string{}
	for _, pool := range manifests.Of(objects, "InferencePool") {
		ref, _, _ := unstructured.NestedMap(pool.Object, "spec", "endpointPickerRef")
		port, _, _ := unstructured.NestedInt64(ref, "port", "number")
		cluster := fmt.Sprintf("outbound|%d||%s.%s.svc.cluster.local", port, ref["name"], pool.GetNamespace())
		pools[pool.GetNamespace()+"/"+pool.GetName()] = cluster
		f.pickers = append(f.pickers, cluster)
	}
	for _, route := range manifests.Of(objects, "HTTPRoute") {
		rules, _, _ := unstructured.NestedSlice(route.Object, "spec", "rules")
		for i, rule := range rules {
			refs, _, _ := unstructured.NestedSlice(rule.(map[string]any), "backendRefs")
			for _, item := range refs {
				ref := item.(map[string]any)
				if ref["kind"] != "InferencePool" {
					continue
				}
				namespace, _ := ref["namespace"].(string)
				if namespace == "" {
					namespace = route.GetNamespace()
				}
				f.native = true
				f.picked[fmt.Sprintf("%s.%s.%d", route.GetNamespace(), route.GetName(), i)] = pools[namespace+"/"+ref["name"].(string)]
			}
		}
	}
	for _, filter := range manifests.Of(objects, "EnvoyFilter") {
		f.readFilter(filter)
	}
	return f
}

func (f facts) readFilter(filter *unstructured.Unstructured) {
	patches, _, _ := unstructured.NestedSlice(filter.Object, "spec", "configPatches")
	for _, item := range patches {
		patch := item.(map[string]any)
		name, _, _ := unstructured.NestedString(patch, "match", "routeConfiguration", "vhost", "route", "name")
		if patch["applyTo"] == "HTTP_ROUTE" && name != "" {
			f.picked[name] = ""
		}
	}
}

func (f facts) env() []string {
	if f.native {
		return []string{InferenceExtension}
	}
	return nil
}

// conditions reports every condition that says no. A condition that is good when false is Conflicted.
func (f facts) conditions(t *testing.T, result *Result) int {
	t.Helper()
	count := 0
	for _, kind := range []string{"Gateway", "HTTPRoute", "InferencePool"} {
		for _, object := range manifests.Of(f.objects, kind) {
			conditions := result.Conditions(kind, object.GetNamespace(), object.GetName())
			if len(conditions) == 0 && (kind != "InferencePool" || f.native) {
				t.Errorf("%s has no conditions", manifests.Name(object))
			}
			for _, c := range conditions {
				count++
				if (c.Status == "True") == (c.Type == "Conflicted") {
					t.Errorf("%s: %s=%s (%s): %s", manifests.Name(object), c.Type, c.Status, c.Reason, c.Message)
				}
			}
		}
	}
	return count
}

// routes checks every Envoy route of the proxy and returns how many pass an endpoint picker.
func (f facts) routes(t *testing.T, proxy *Proxy) int {
	t.Helper()
	count := 0
	for _, filters := range proxy.HTTPFilters() {
		if last := filters[len(filters)-1].Name; last != routerFilter {
			t.Errorf("%s: the last HTTP filter is %s, not the router", proxy.Gateway, last)
		}
		for _, route := range proxy.AllRoutes() {
			count += f.route(t, proxy, filters, route)
		}
	}
	return count
}

func (f facts) route(t *testing.T, proxy *Proxy, filters []HTTPFilter, route Route) int {
	t.Helper()
	want, wanted := f.picked[route.Name]
	pickers := Pickers(filters, route)
	if !wanted {
		if len(pickers) > 0 {
			t.Errorf("%s: route %s passes an endpoint picker and should not: %v", proxy.Gateway, route.Name, pickers)
		}
		return 0
	}
	if len(pickers) != 1 {
		t.Errorf("%s: route %s passes %d endpoint pickers, want 1", proxy.Gateway, route.Name, len(pickers))
		return 0
	}
	picker := pickers[0]
	if want != "" && picker.Cluster != want || !slices.Contains(f.pickers, picker.Cluster) {
		t.Errorf("%s: route %s asks %s, want %s of %v", proxy.Gateway, route.Name, picker.Cluster, want, f.pickers)
	}
	if !maps.Equal(picker.Modes, fullDuplex) {
		t.Errorf("%s: route %s sends %v, want %v", proxy.Gateway, route.Name, picker.Modes, fullDuplex)
	}
	f.clusters(t, proxy, picker)
	return 1
}

// serveTLS reports whether the model servers have a certificate.
func (f facts) serveTLS() bool {
	for _, workload := range manifests.Of(f.objects, "Deployment") {
		containers, _, _ := unstructured.NestedSlice(workload.Object, "spec", "template", "spec", "containers")
		for _, c := range containers {
			args, _, _ := unstructured.NestedStringSlice(c.(map[string]any), "args")
			if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--ssl-certfile=") }) {
				return true
			}
		}
	}
	return false
}

// clusters checks that the picker can be reached over gRPC and that its answer decides the endpoint.
func (f facts) clusters(t *testing.T, proxy *Proxy, picker Picker) {
	t.Helper()
	if cluster := proxy.Cluster(picker.Cluster); cluster == nil {
		t.Errorf("%s: no cluster %s", proxy.Gateway, picker.Cluster)
	} else if !cluster.HTTP2() {
		t.Errorf("%s: cluster %s is not HTTP/2, so gRPC does not work", proxy.Gateway, picker.Cluster)
	}
	target := proxy.Cluster(picker.RouteTarget)
	switch {
	case target == nil:
		t.Errorf("%s: the route's cluster %q does not exist", proxy.Gateway, picker.RouteTarget)
	case (target.TransportSocket != nil) != f.serveTLS():
		t.Errorf("%s: cluster %s speaks TLS: %t, and its servers: %t", proxy.Gateway, target.Name, target.TransportSocket != nil, f.serveTLS())
	case target.LBPolicy != "CLUSTER_PROVIDED":
		t.Errorf("%s: cluster %s balances by %s and ignores the picker", proxy.Gateway, target.Name, target.LBPolicy)
	case target.Type == "ORIGINAL_DST":
		lb := target.OriginalDstLBConfig
		if !lb.UseHTTPHeader || lb.HTTPHeaderName != "x-gateway-destination-endpoint" {
			t.Errorf("%s: cluster %s does not read the picker's header: %+v", proxy.Gateway, target.Name, lb)
		}
	case !strings.Contains(target.Name, "-ip-"):
		t.Errorf("%s: cluster %s is neither the pool's nor the original destination", proxy.Gateway, target.Name)
	}
}
