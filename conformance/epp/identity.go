package epp

import (
	"path/filepath"
	"testing"

	authv1 "k8s.io/api/authentication/v1"
	authzv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/inferstack/inferstack/conformance/cluster"
)

// Kubeconfig returns a file with which the picker speaks to the API server as its emitted ServiceAccount. What that
// account may do is what the emitted Roles give it.
func (s *Scenario) Kubeconfig(t testing.TB, admin *rest.Config) string {
	t.Helper()
	client, err := kubernetes.NewForConfig(admin)
	if err != nil {
		t.Fatal(err)
	}
	name := s.Picker.Spec.Template.Spec.ServiceAccountName
	hour := int64(3600)
	token, err := client.CoreV1().ServiceAccounts(s.Picker.Namespace).CreateToken(t.Context(), name, &authv1.TokenRequest{
		Spec: authv1.TokenRequestSpec{ExpirationSeconds: &hour},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("token of ServiceAccount %s/%s: %v", s.Picker.Namespace, name, err)
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["c"] = &clientcmdapi.Cluster{Server: admin.Host, CertificateAuthorityData: admin.CAData}
	config.AuthInfos["epp"] = &clientcmdapi.AuthInfo{Token: token.Status.Token}
	config.Contexts["c"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "epp", Namespace: s.Picker.Namespace}
	config.CurrentContext = "c"
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// noMore fails when the picker's account may do anything that a picker has no business with, which would mean that the
// proof runs with other rights than the emitted ones; or when it may not do what every picker does.
func noMore(t testing.TB, server *cluster.Cluster, s *Scenario) {
	t.Helper()
	client, err := kubernetes.NewForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	account := "system:serviceaccount:" + s.Picker.Namespace + ":" + s.Picker.Spec.Template.Spec.ServiceAccountName
	for _, c := range []struct {
		verb, resource, namespace string
		allowed                   bool
	}{
		{"list", "pods", s.Pool.Namespace, true},
		{"list", "pods", "kube-system", false},
		{"delete", "pods", s.Pool.Namespace, false},
		{"get", "secrets", s.Pool.Namespace, false},
		{"create", "pods", s.Pool.Namespace, false},
	} {
		review, err := client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(), &authzv1.SubjectAccessReview{
			Spec: authzv1.SubjectAccessReviewSpec{User: account, ResourceAttributes: &authzv1.ResourceAttributes{
				Verb: c.verb, Resource: c.resource, Namespace: c.namespace,
			}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if review.Status.Allowed != c.allowed {
			t.Errorf("%s may %s %s in %s: %v, want %v", account, c.verb, c.resource, c.namespace, review.Status.Allowed, c.allowed)
		}
	}
}
