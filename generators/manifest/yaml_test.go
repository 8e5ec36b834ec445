package manifest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	sigsyaml "sigs.k8s.io/yaml"
)

func configMap(data map[string]string) Object {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: "c"},
		Data:       data,
	}
}

func TestYAMLDropsWhatNobodyAskedFor(t *testing.T) {
	var out bytes.Buffer
	err := WriteYAML(&out, List([]Object{
		&appsv1.Deployment{
			TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
			ObjectMeta: metav1.ObjectMeta{Name: "d"},
			Spec: appsv1.DeploymentSpec{
				Replicas: new(int32(1)),
				Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
					Containers: []corev1.Container{{Name: "c", Args: []string{"on", "--x=<y>&z"}}},
					Volumes:    []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
				}},
			},
		},
		&networkingv1.NetworkPolicy{
			TypeMeta:   metav1.TypeMeta{APIVersion: "networking.k8s.io/v1", Kind: "NetworkPolicy"},
			ObjectMeta: metav1.ObjectMeta{Name: "n"},
			Spec:       networkingv1.NetworkPolicySpec{Ingress: []networkingv1.NetworkPolicyIngressRule{{}}},
		},
		configMap(map[string]string{"text": "a: 1\nb: ${c}\n", "on": "off"}),
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := `apiVersion: apps/v1
kind: Deployment
metadata:
  name: d
spec:
  replicas: 1
  template:
    spec:
      volumes:
      - name: v
        emptyDir: {}
      containers:
      - name: c
        args:
        - "on"
        - --x=<y>&z
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: "n"
spec:
  podSelector: {}
  ingress:
  - {}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  "on": "off"
  text: |
    a: 1
    b: ${c}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// FuzzYAML proves that a text comes back as it went in, through YAML 1.2 and 1.1 readers
// and as JSON.
func FuzzYAML(f *testing.F) {
	for _, s := range []string{
		"a\n", "\na", " a\n b", "a\n\n\n", "a \nb", "\ttab\n", "a: b", "# c", "- x", "'", "\"", "é\u2028x", "a\r\nb", "{{ x }}", "%a", "@a", "1:2", "|", ">",
		"--- x\n", "a\n---\nb\n", "\u0085\n", "\ufeffa", "x\x00y", "a\n  \nb\n", "  a\n", "\n \n", "é\n", "\U0001F600\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		encoded, _ := json.Marshal(s)
		_ = json.Unmarshal(encoded, &s) // invalid UTF-8 is replaced, as by any JSON writer
		o := configMap(map[string]string{"k" + s: s})
		var text, list bytes.Buffer
		if err := WriteYAML(&text, []Manifest{Of(o)}); err != nil {
			t.Fatal(err)
		}
		if err := WriteJSON(&list, []Manifest{Of(o)}); err != nil {
			t.Fatal(err)
		}
		var v3 struct{ Data map[string]string }
		if err := yaml.Unmarshal(text.Bytes(), &v3); err != nil {
			t.Fatalf("%v in\n%s", err, text.String())
		}
		var v2 corev1.ConfigMap
		if err := sigsyaml.UnmarshalStrict(text.Bytes(), &v2); err != nil {
			t.Fatalf("%v in\n%s", err, text.String())
		}
		var js struct{ Items []corev1.ConfigMap }
		if err := json.Unmarshal(list.Bytes(), &js); err != nil {
			t.Fatal(err)
		}
		for reader, got := range map[string]string{"yaml.v3": v3.Data["k"+s], "sigs.k8s.io/yaml": v2.Data["k"+s], "json": js.Items[0].Data["k"+s]} {
			if got != s {
				t.Errorf("%s read %q as %q from\n%s", reader, s, got, text.String())
			}
		}
	})
}
