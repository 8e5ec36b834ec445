package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	"github.com/kserve/kserve/pkg/apis/serving/v1alpha1"
	"github.com/kserve/kserve/pkg/apis/serving/v1alpha2"
	"github.com/kserve/kserve/pkg/controller/v1alpha2/llmisvc"
)

// typed is a document in its Go type: of KServe's kinds that of v1alpha2, completed by KServe's own defaults.
func typed(u *unstructured.Unstructured) (client.Object, error) {
	gvk := u.GroupVersionKind()
	o, err := scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, o); err != nil {
		return nil, err
	}
	switch old := o.(type) {
	case *v1alpha1.LLMInferenceService:
		o, err = converted(old, &v1alpha2.LLMInferenceService{}, "LLMInferenceService")
	case *v1alpha1.LLMInferenceServiceConfig:
		o, err = converted(old, &v1alpha2.LLMInferenceServiceConfig{}, "LLMInferenceServiceConfig")
	}
	if err != nil {
		return nil, err
	}
	if svc, ok := o.(*v1alpha2.LLMInferenceService); ok {
		svc.SetDefaults(context.Background())
	}
	return o.(client.Object), nil
}

func converted(from conversion.Convertible, to conversion.Hub, kind string) (runtime.Object, error) {
	if err := from.ConvertTo(to); err != nil {
		return nil, err
	}
	o := to.(runtime.Object)
	o.GetObjectKind().SetGroupVersionKind(v1alpha2.SchemeGroupVersion.WithKind(kind))
	return o, nil
}

// made are the kinds that the controller makes.
var made = []schema.GroupVersionKind{
	{Version: "v1", Kind: "ServiceAccountList"}, {Version: "v1", Kind: "ServiceList"}, {Version: "v1", Kind: "SecretList"},
	{Version: "v1", Kind: "ConfigMapList"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "RoleList"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "RoleBindingList"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRoleBindingList"},
	{Group: "apps", Version: "v1", Kind: "DeploymentList"},
	{Group: "leaderworkerset.x-k8s.io", Version: "v1", Kind: "LeaderWorkerSetList"},
	{Group: "resource.k8s.io", Version: "v1", Kind: "ResourceClaimTemplateList"},
	{Group: "inference.networking.k8s.io", Version: "v1", Kind: "InferencePoolList"},
	{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "HTTPRouteList"},
	{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscalerList"},
	{Group: "keda.sh", Version: "v1alpha1", Kind: "ScaledObjectList"},
	{Group: "llmd.ai", Version: "v1alpha1", Kind: "VariantAutoscalingList"},
}

// reconcile runs the controller once over every service and returns what was not there before.
func reconcile(ctx context.Context, objects []client.Object) ([]*unstructured.Unstructured, error) {
	config, stop := discovery()
	defer stop()
	c := fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(mapper()).WithObjects(objects...).WithStatusSubresource(&v1alpha2.LLMInferenceService{}).Build()
	validator := &v1alpha2.LLMInferenceServiceValidator{}
	r := &llmisvc.LLMISVCReconciler{
		Client: c, Config: config, EventRecorder: record.NewFakeRecorder(1000), Clientset: kubefake.NewSimpleClientset(core(objects)...),
		Validator: func(ctx context.Context, svc *v1alpha2.LLMInferenceService) error {
			_, err := validator.ValidateCreate(ctx, svc)
			return err
		},
	}
	for _, o := range objects {
		svc, ok := o.(*v1alpha2.LLMInferenceService)
		if !ok {
			continue
		}
		key := client.ObjectKeyFromObject(svc)
		if _, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: key}); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if err := combined(ctx, c, key); err != nil {
			return nil, err
		}
	}
	return list(ctx, c, known(objects))
}

// core are the objects that the controller may ask of the API server itself.
func core(objects []client.Object) []runtime.Object {
	var out []runtime.Object
	for _, o := range objects {
		switch o.(type) {
		case *corev1.ConfigMap, *corev1.ServiceAccount, *corev1.Secret:
			out = append(out, o)
		}
	}
	return out
}

// combined says why nothing is made of a service whose presets and base configurations do not fit together.
func combined(ctx context.Context, c client.Client, key client.ObjectKey) error {
	var svc v1alpha2.LLMInferenceService
	if err := c.Get(ctx, key, &svc); err != nil {
		return err
	}
	for _, condition := range svc.Status.Conditions {
		if condition.Type == "PresetsCombined" && condition.Status != "True" {
			return fmt.Errorf("%s: %s: %s", key, condition.Reason, condition.Message)
		}
	}
	return nil
}

func list(ctx context.Context, c client.Client, before map[string]bool) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	for _, gvk := range made {
		l := &unstructured.UnstructuredList{}
		l.SetGroupVersionKind(gvk)
		if err := c.List(ctx, l); err != nil {
			return nil, err
		}
		for i := range l.Items {
			o := &l.Items[i]
			if !before[o.GetKind()+"/"+o.GetNamespace()+"/"+o.GetName()] {
				out = append(out, o)
			}
		}
	}
	return out, nil
}
