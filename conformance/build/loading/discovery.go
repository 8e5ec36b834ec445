package loading

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Discovery answers what a manager asks before it starts: which kinds there are. It stands for an API server with the
// CRDs that the picker watches.
type Discovery struct{}

var served = map[schema.GroupVersion][]metav1.APIResource{
	{Version: "v1"}: {{Name: "pods", Kind: "Pod", Namespaced: true}},
	{Group: "inference.networking.k8s.io", Version: "v1"}: {{Name: "inferencepools", Kind: "InferencePool", Namespaced: true}},
	{Group: "inference.networking.x-k8s.io", Version: "v1alpha2"}: {
		{Name: "inferencepools", Kind: "InferencePool", Namespaced: true},
		{Name: "inferenceobjectives", Kind: "InferenceObjective", Namespaced: true},
		{Name: "inferencemodelrewrites", Kind: "InferenceModelRewrite", Namespaced: true},
	},
}

// RoundTrip answers a request.
func (Discovery) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := json.Marshal(answer(r.URL.Path))
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(bytes.NewReader(body)),
	}, err
}

func answer(path string) any {
	switch path {
	case "/api":
		return metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}}
	case "/apis":
		list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
		for gv := range served {
			if gv.Group != "" {
				v := metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version}
				list.Groups = append(list.Groups, metav1.APIGroup{Name: gv.Group, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v})
			}
		}
		return list
	}
	for gv, resources := range served {
		if path == "/apis/"+gv.String() || path == "/api/"+gv.String() {
			return metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String(), APIResources: resources}
		}
	}
	return metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonNotFound, Code: http.StatusNotFound}
}
