// Package smoketest makes the Job that asks for a chat completion after each change of the
// stack, and what it needs.
package smoketest

import (
	"crypto/sha256"
	_ "embed" // the script
	"encoding/hex"
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
)

//go:embed smoke-test.sh
var script string

const (
	scriptName = "smoke-test.sh"
	scriptDir  = "/smoke-test"
)

// Objects makes the script and, where there are prefill or encode servers, a headless Service for each
// role, whose addresses are those of the pods.
func Objects(s *base.Stack) []base.Object {
	if s.Spec.Delivery.SmokeTest == nil {
		return nil
	}
	objects := []base.Object{&corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: s.Meta(base.ComponentSmokeTest, s.Name(base.ComponentSmokeTest)),
		Data:       map[string]string{scriptName: scriptOf(s)},
	}}
	if watchesRoles(s) {
		for _, server := range s.Roles() {
			objects = append(objects, roleService(server))
		}
	}
	return objects
}

// scriptOf is the script, which asks servers that speak TLS for their metrics by it.
func scriptOf(s *base.Stack) string {
	text := script
	if s.Spec.Encode != nil && watchesRoles(s) {
		text = withImage(text)
	}
	if !s.ServesTLS() {
		return text
	}
	return strings.Replace(text, `"http://$address`, `--insecure "https://$address`, 1)
}

// watchesRoles reports whether the test counts what the servers of each role do.
func watchesRoles(s *base.Stack) bool {
	return s.Disaggregated() && s.Spec.Server.Create && series.OfServer(s, "requestDuration") != ""
}

func roleName(s base.Server) string { return s.Name(base.ComponentSmokeTest + "-" + s.Role) }

func roleService(s base.Server) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: s.Meta(base.ComponentSmokeTest, roleName(s)),
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone,
			Selector:  s.Selector(s.Role),
			Ports: []corev1.ServicePort{{
				Name: "http", Port: s.Spec.Server.Port, TargetPort: s.EntryPort(), Protocol: corev1.ProtocolTCP,
			}},
		},
	}
}

// Job makes the Job. Its name follows from all other objects: Jobs cannot be changed, and what
// changes is to be tested anew.
func Job(s *base.Stack, others []base.Object) []base.Object {
	if s.Spec.Delivery.SmokeTest == nil {
		return nil
	}
	job := unnamed(s)
	data, err := json.Marshal(append(others[:len(others):len(others)], job))
	if err != nil {
		panic(err) // the objects are plain data
	}
	sum := sha256.Sum256(data)
	job.Name = base.Derived(s.Metadata.Name, base.ComponentSmokeTest+"-"+hex.EncodeToString(sum[:4]), base.MaxLabel)
	return []base.Object{job}
}
