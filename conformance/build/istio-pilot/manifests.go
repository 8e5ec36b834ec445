package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kubeyaml "k8s.io/apimachinery/pkg/util/yaml"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"

	"istio.io/istio/pilot/pkg/config/kube/crd"
	"istio.io/istio/pkg/config"
	kubelib "istio.io/istio/pkg/kube"
)

// Manifests are the input, sorted by the door through which pilot gets them.
type Manifests struct {
	kubernetes []runtime.Object
	istio      []config.Config
	gateways   []*gwapiv1.Gateway
	namespaces map[string]bool
	refused    []Refusal
	ignored    map[string]int
}

func read(input []byte) (*Manifests, error) {
	m := &Manifests{namespaces: map[string]bool{"istio-system": true}, ignored: map[string]int{}}
	decoder := kubeyaml.NewYAMLOrJSONDecoder(bytes.NewReader(input), 4096)
	for {
		var object unstructured.Unstructured
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read manifests: %w", err)
		}
		if len(object.Object) == 0 {
			continue
		}
		if err := m.add(&object); err != nil {
			return nil, fmt.Errorf("%s %s/%s: %w", object.GetKind(), object.GetNamespace(), object.GetName(), err)
		}
	}
}

func (m *Manifests) add(object *unstructured.Unstructured) error {
	document, err := yaml.Marshal(object.Object)
	if err != nil {
		return err
	}
	if object.GroupVersionKind().Group == "networking.istio.io" || object.GroupVersionKind().Group == "telemetry.istio.io" {
		m.addIstio(object, document)
		return nil
	}
	typed, _, err := kubelib.IstioCodec.UniversalDeserializer().Decode(document, nil, nil)
	if runtime.IsNotRegisteredError(err) {
		m.ignored[object.GetKind()]++
		return nil
	}
	if err != nil {
		return err
	}
	m.addKubernetes(typed)
	return nil
}

func (m *Manifests) addIstio(object *unstructured.Unstructured, document []byte) {
	configs, _, err := crd.ParseInputs(string(document))
	if err != nil {
		name := object.GetKind() + " " + object.GetNamespace() + "/" + object.GetName()
		m.refused = append(m.refused, Refusal{Object: name, Error: err.Error()})
		return
	}
	m.namespaces[object.GetNamespace()] = true
	m.istio = append(m.istio, configs...)
}

func (m *Manifests) addKubernetes(typed runtime.Object) {
	meta := typed.(metav1.Object)
	meta.SetGeneration(1)
	switch o := typed.(type) {
	case *corev1.Namespace:
		m.namespaces[o.Name] = false
		if o.Labels == nil {
			o.Labels = map[string]string{}
		}
		o.Labels[corev1.LabelMetadataName] = o.Name
	case *gwapiv1.Gateway:
		m.gateways = append(m.gateways, o)
	}
	if ns := meta.GetNamespace(); ns != "" {
		if _, known := m.namespaces[ns]; !known {
			m.namespaces[ns] = true
		}
	}
	m.kubernetes = append(m.kubernetes, typed)
}
