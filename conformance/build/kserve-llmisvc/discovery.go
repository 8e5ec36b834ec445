package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// installed are the API groups that the controller looks for, as on a cluster with the Gateway API, the Inference
// Extension's InferencePool v1, LeaderWorkerSet and Dynamic Resource Allocation, and without the pool of
// inference.networking.x-k8s.io.
var installed = map[schema.GroupVersion]bool{
	{Group: "gateway.networking.k8s.io", Version: "v1"}:   true,
	{Group: "inference.networking.k8s.io", Version: "v1"}: true,
	{Group: "leaderworkerset.x-k8s.io", Version: "v1"}:    true,
	{Group: "resource.k8s.io", Version: "v1"}:             true,
}

// discovery answers which kinds there are, and nothing else.
func discovery() (*rest.Config, func()) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		gv, err := schema.ParseGroupVersion(strings.TrimPrefix(r.URL.Path, "/apis/"))
		if err != nil || !installed[gv] {
			http.NotFound(w, r)
			return
		}
		list := metav1.APIResourceList{TypeMeta: typeMeta("v1", "APIResourceList"), GroupVersion: gv.String()}
		for kind := range scheme.KnownTypes(gv) {
			list.APIResources = append(list.APIResources, metav1.APIResource{Name: strings.ToLower(kind) + "s", Kind: kind, Namespaced: true})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(list) // to this program
	}))
	return &rest.Config{Host: server.URL}, server.Close
}

// clusterScoped are kinds without a namespace.
var clusterScoped = map[string]bool{
	"Namespace": true, "Node": true, "PersistentVolume": true, "ClusterRole": true, "ClusterRoleBinding": true, "GatewayClass": true,
	"CustomResourceDefinition": true, "DeviceClass": true, "ResourceSlice": true,
}

// mapper knows the resources of every kind of the scheme.
func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	for gvk := range scheme.AllKnownTypes() {
		scope := meta.RESTScopeNamespace
		if clusterScoped[gvk.Kind] {
			scope = meta.RESTScopeRoot
		}
		m.Add(gvk, scope)
	}
	return m
}
