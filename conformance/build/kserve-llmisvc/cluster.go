package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"

	"github.com/kserve/kserve/pkg/apis/serving/v1alpha2"
	"github.com/kserve/kserve/pkg/constants"
	kservescheme "github.com/kserve/kserve/pkg/scheme"
)

var scheme = newScheme()

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := kservescheme.AddAll(s); err != nil {
		panic(err) // the types of one program
	}
	return s
}

// cluster is what is there before the controller starts.
func cluster(module string, given []byte) ([]client.Object, error) {
	objects := []client.Object{
		&corev1.Namespace{TypeMeta: typeMeta("v1", "Namespace"), ObjectMeta: metav1.ObjectMeta{Name: constants.KServeNamespace}},
		&gwapiv1.GatewayClass{
			TypeMeta: typeMeta("gateway.networking.k8s.io/v1", "GatewayClass"), ObjectMeta: metav1.ObjectMeta{Name: "istio"},
			Spec: gwapiv1.GatewayClassSpec{ControllerName: "istio.io/gateway-controller"},
		},
		&gwapiv1.Gateway{
			TypeMeta:   typeMeta("gateway.networking.k8s.io/v1", "Gateway"),
			ObjectMeta: metav1.ObjectMeta{Name: "kserve-ingress-gateway", Namespace: constants.KServeNamespace},
			Spec:       gwapiv1.GatewaySpec{GatewayClassName: "istio", Listeners: []gwapiv1.Listener{{Name: "http", Port: 80, Protocol: "HTTP"}}},
		},
	}
	files, err := filepath.Glob(filepath.Join(module, "config/llmisvcconfig/config-llm-*.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no presets in %s", module)
	}
	for _, file := range append(files, filepath.Join(module, "config/configmap/inferenceservice.yaml")) {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		read, err := parse(data, constants.KServeNamespace)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		objects = append(objects, read...)
	}
	read, err := parse(given, "default")
	if err != nil {
		return nil, err
	}
	return append(over(objects, read), accounts(read)...), nil
}

// over lays the settings of a given ConfigMap over those of one that is installed, and adds everything else.
func over(installed, given []client.Object) []client.Object {
	for _, o := range given {
		own, ok := o.(*corev1.ConfigMap)
		i := slices.IndexFunc(installed, func(have client.Object) bool {
			_, same := have.(*corev1.ConfigMap)
			return ok && same && client.ObjectKeyFromObject(have) == client.ObjectKeyFromObject(own)
		})
		if i < 0 {
			installed = append(installed, o)
			continue
		}
		data := installed[i].(*corev1.ConfigMap).Data
		for key, text := range own.Data {
			data[key] = settings(data[key], text)
		}
	}
	return installed
}

// settings are those of a text in JSON over those of another one.
func settings(installed, given string) string {
	var below, above map[string]any
	if json.Unmarshal([]byte(installed), &below) != nil || json.Unmarshal([]byte(given), &above) != nil {
		return given
	}
	maps.Copy(below, above)
	out, err := json.Marshal(below)
	if err != nil {
		return given
	}
	return string(out)
}

func typeMeta(apiVersion, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}
}

// accounts are the ServiceAccounts that pods of the services name; the controller wants them to be there.
func accounts(objects []client.Object) []client.Object {
	names := map[client.ObjectKey]bool{}
	for _, o := range objects {
		svc, ok := o.(*v1alpha2.LLMInferenceService)
		if !ok {
			continue
		}
		workloads := []*v1alpha2.WorkloadSpec{&svc.Spec.WorkloadSpec}
		if svc.Spec.Prefill != nil {
			workloads = append(workloads, svc.Spec.Prefill)
		}
		names[client.ObjectKey{Namespace: svc.Namespace, Name: "default"}] = true
		for _, w := range workloads {
			for _, pod := range []*corev1.PodSpec{w.Template, w.Worker} {
				if pod != nil && pod.ServiceAccountName != "" {
					names[client.ObjectKey{Namespace: svc.Namespace, Name: pod.ServiceAccountName}] = true
				}
			}
		}
	}
	var out []client.Object
	for key := range names {
		out = append(out, &corev1.ServiceAccount{TypeMeta: typeMeta("v1", "ServiceAccount"), ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace}})
	}
	return out
}

// parse reads documents into the types of the scheme, with a namespace for those that name none. Services of the old
// version are brought into the new one, as the API server has the controller's webhook do it.
func parse(data []byte, namespace string) ([]client.Object, error) {
	var out []client.Object
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var u unstructured.Unstructured
		err := decoder.Decode(&u.Object)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if len(u.Object) == 0 {
			continue
		}
		if u.GetNamespace() == "" && !clusterScoped[u.GetKind()] {
			u.SetNamespace(namespace)
		}
		o, err := typed(&u)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", u.GetKind(), u.GetName(), err)
		}
		out = append(out, o)
	}
}
