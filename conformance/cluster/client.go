package cluster

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// fieldManager is who owns what these tests apply, as kubectl would be.
const fieldManager = "inferstack-conformance"

// Client applies and reads objects of any kind and keeps the warnings that the API server sends back.
type Client struct {
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper

	mu       sync.Mutex
	warnings []string
}

// Result is what the API server said to one object.
type Result struct {
	Object   *unstructured.Unstructured
	Warnings []string
	Err      error
}

// Client returns a client with the administrator's rights.
func (c *Cluster) Client(t testing.TB) *Client {
	t.Helper()
	client := &Client{}
	config := rest.CopyConfig(c.Config)
	config.WarningHandler = client
	var err error
	if client.dynamic, err = dynamic.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	disco, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	client.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco))
	return client
}

// HandleWarningHeader collects a warning of the API server.
func (c *Client) HandleWarningHeader(code int, _ string, text string) {
	if code != 299 || text == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.warnings = append(c.warnings, text)
}

func (c *Client) takeWarnings() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.warnings
	c.warnings = nil
	return taken
}

// Apply applies one object server-side. Unknown and repeated fields are errors, conflicts with other owners too.
func (c *Client) Apply(ctx context.Context, object *unstructured.Unstructured) Result {
	return c.apply(ctx, object, fieldManager)
}

// ApplyAs applies as another owner of fields.
func (c *Client) ApplyAs(ctx context.Context, object *unstructured.Unstructured, manager string) Result {
	return c.apply(ctx, object, manager)
}

// TryApply asks what Apply would give, and changes nothing.
func (c *Client) TryApply(ctx context.Context, object *unstructured.Unstructured) Result {
	return c.apply(ctx, object, fieldManager, metav1.DryRunAll)
}

func (c *Client) apply(ctx context.Context, object *unstructured.Unstructured, manager string, dryRun ...string) Result {
	resource, err := c.resource(object)
	if err != nil {
		return Result{Err: err}
	}
	body, err := object.MarshalJSON()
	if err != nil {
		return Result{Err: err}
	}
	applied, err := resource.Patch(ctx, object.GetName(), types.ApplyPatchType, body, metav1.PatchOptions{
		FieldManager: manager, FieldValidation: metav1.FieldValidationStrict, DryRun: dryRun,
	})
	return Result{Object: applied, Warnings: c.takeWarnings(), Err: err}
}

// DryRun asks the API server to create the object and to forget it.
func (c *Client) DryRun(ctx context.Context, object *unstructured.Unstructured) Result {
	resource, err := c.resource(object)
	if err != nil {
		return Result{Err: err}
	}
	created, err := resource.Create(ctx, object, metav1.CreateOptions{
		DryRun: []string{metav1.DryRunAll}, FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict,
	})
	return Result{Object: created, Warnings: c.takeWarnings(), Err: err}
}

// Get reads the object back.
func (c *Client) Get(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	resource, err := c.resource(object)
	if err != nil {
		return nil, err
	}
	return resource.Get(ctx, object.GetName(), metav1.GetOptions{})
}

// Delete removes the object. No controller is here that would take finalizers off, so it takes them off first.
func (c *Client) Delete(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := c.resource(object)
	if err != nil {
		return err
	}
	if err := c.Free(ctx, object); err != nil {
		return err
	}
	return resource.Delete(ctx, object.GetName(), metav1.DeleteOptions{})
}

// Free takes the finalizers off an object, as the controllers would that wait for its deletion.
func (c *Client) Free(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := c.resource(object)
	if err != nil {
		return err
	}
	free := []byte(`{"metadata":{"finalizers":null}}`)
	_, err = resource.Patch(ctx, object.GetName(), types.MergePatchType, free, metav1.PatchOptions{})
	return err
}

// List returns the objects of a kind in all namespaces that carry the labels.
func (c *Client) List(ctx context.Context, kind schema.GroupVersionKind, selector string) ([]unstructured.Unstructured, error) {
	mapping, err := c.mapping(kind)
	if err != nil {
		return nil, err
	}
	list, err := c.dynamic.Resource(mapping.Resource).List(ctx, metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// UpdateStatus writes the status of an object, as the controller or kubelet that is not here would.
func (c *Client) UpdateStatus(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := c.resource(object)
	if err != nil {
		return err
	}
	_, err = resource.UpdateStatus(ctx, object, metav1.UpdateOptions{})
	return err
}

func (c *Client) resource(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	mapping, err := c.mapping(object.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	namespaced := mapping.Scope.Name() == meta.RESTScopeNameNamespace
	switch {
	case namespaced && object.GetNamespace() == "":
		return nil, fmt.Errorf("%s %s is namespaced and names no namespace", object.GetKind(), object.GetName())
	case namespaced:
		return c.dynamic.Resource(mapping.Resource).Namespace(object.GetNamespace()), nil
	default:
		return c.dynamic.Resource(mapping.Resource), nil
	}
}

func (c *Client) mapping(kind schema.GroupVersionKind) (*meta.RESTMapping, error) {
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if meta.IsNoMatchError(err) {
		c.mapper.Reset()
		mapping, err = c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	}
	return mapping, err
}

// established waits until a CRD is served.
func (c *Client) established(ctx context.Context, name string) error {
	crd := &unstructured.Unstructured{}
	crd.SetAPIVersion("apiextensions.k8s.io/v1")
	crd.SetKind("CustomResourceDefinition")
	crd.SetName(name)
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		live, err := c.Get(ctx, crd)
		if err != nil {
			return false, err
		}
		conditions, _, _ := unstructured.NestedSlice(live.Object, "status", "conditions")
		for _, item := range conditions {
			condition, _ := item.(map[string]any)
			if condition["type"] == "Established" && condition["status"] == "True" {
				return true, nil
			}
		}
		return false, nil
	})
}
