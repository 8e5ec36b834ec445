package main

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"istio.io/istio/pilot/pkg/model"
	"istio.io/istio/pilot/pkg/status"
	"istio.io/istio/pkg/config"
	kubelib "istio.io/istio/pkg/kube"
)

// statusStore keeps the statuses that pilot writes.
type statusStore struct {
	model.ConfigStore
	client kubelib.Client
	mu     sync.Mutex
	latest map[string]Status
	writes atomic.Int64
}

func newStatusStore(client kubelib.Client) *statusStore {
	return &statusStore{client: client, latest: map[string]Status{}}
}

func (s *statusStore) manager(stop <-chan struct{}) *status.Manager {
	manager := status.NewManager(s)
	manager.Start(stop)
	return manager
}

// Get returns an object of that name: whatever pilot wants to write a status for exists.
func (s *statusStore) Get(kind config.GroupVersionKind, name, namespace string) *config.Config {
	return &config.Config{Meta: config.Meta{GroupVersionKind: kind, Name: name, Namespace: namespace, Generation: 1}}
}

// UpdateStatus records the status. That of an HTTPRoute also goes to the API server's double, since pilot finds the
// Gateways of an InferencePool there.
func (s *statusStore) UpdateStatus(c config.Config) (string, error) {
	if routeStatus, ok := c.Status.(*gwapiv1.HTTPRouteStatus); ok {
		routes := s.client.GatewayAPI().GatewayV1().HTTPRoutes(c.Namespace)
		route, err := routes.Get(context.Background(), c.Name, metav1.GetOptions{})
		if err != nil {
			return "", err
		}
		route.Status = *routeStatus
		if _, err := routes.UpdateStatus(context.Background(), route, metav1.UpdateOptions{}); err != nil {
			return "", err
		}
	}
	body, err := json.Marshal(c.Status)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest[c.GroupVersionKind.Kind+"/"+c.Namespace+"/"+c.Name] = Status{
		Kind: c.GroupVersionKind.Kind, Namespace: c.Namespace, Name: c.Name, Status: body,
	}
	s.writes.Add(1)
	return "", nil
}

func (s *statusStore) list() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []Status{}
	for _, st := range s.latest {
		list = append(list, st)
	}
	slices.SortFunc(list, func(a, b Status) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return list
}
