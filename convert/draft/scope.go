package draft

import "slices"

// clusterScoped are the kinds that stand in no namespace, of Kubernetes and of what a
// stack's cluster has beside it.
var clusterScoped = []string{
	"APIService", "CertificateSigningRequest", "ClusterIssuer", "ClusterRole", "ClusterRoleBinding", "ClusterTrustBundle",
	"CSIDriver", "CSINode", "CustomResourceDefinition", "DeviceClass", "FlowSchema", "GatewayClass", "IngressClass",
	"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration", "Namespace", "Node",
	"PersistentVolume", "PriorityClass", "PriorityLevelConfiguration", "ResourceSlice", "RuntimeClass", "StorageClass",
	"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration", "VolumeAttachment",
	"ClusterQueue", "ResourceFlavor", "SecurityContextConstraints", "ClusterPolicy",
}

// ClusterScoped reports whether objects of a kind stand in no namespace.
func ClusterScoped(kind string) bool { return slices.Contains(clusterScoped, kind) }
