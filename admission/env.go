package admission

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// envFields are the fields of a Pod that a variable may have for its value, volumeFields
// those that a file may (kubernetes pkg/apis/core/validation).
var (
	envFields = []string{
		"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
		"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs",
	}
	volumeFields   = []string{"metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid"}
	resourceFields = []string{
		"limits.cpu", "limits.memory", "limits.ephemeral-storage",
		"requests.cpu", "requests.memory", "requests.ephemeral-storage",
	}
	byteDivisors = []string{"1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"}
)

func (j *judge) envVar(at *field.Path, v *corev1.EnvVar) {
	j.text(at.Child("name"), v.Name, envName)
	from := v.ValueFrom
	if from == nil {
		return
	}
	at = at.Child("valueFrom")
	j.members(at, []string{"fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"},
		from.FieldRef != nil, from.ResourceFieldRef != nil, from.ConfigMapKeyRef != nil, from.SecretKeyRef != nil, from.FileKeyRef != nil)
	if v.Value != "" {
		j.bad(at, "must not stand beside value; remove one of them")
	}
	if r := from.FieldRef; r != nil {
		j.fieldRef(at.Child("fieldRef"), r, envFields)
	}
	if r := from.ResourceFieldRef; r != nil {
		j.resourceRef(at.Child("resourceFieldRef"), r)
	}
	if r := from.ConfigMapKeyRef; r != nil {
		j.keyRef(at.Child("configMapKeyRef"), r.Name, r.Key)
	}
	if r := from.SecretKeyRef; r != nil {
		j.keyRef(at.Child("secretKeyRef"), r.Name, r.Key)
	}
	if r := from.FileKeyRef; r != nil {
		j.fileKeyRef(at.Child("fileKeyRef"), r)
	}
}

func (j *judge) keyRef(at *field.Path, name, key string) {
	j.text(at.Child("name"), name, dnsSubdomain)
	j.text(at.Child("key"), key, dataKey)
}

func (j *judge) fileKeyRef(at *field.Path, r *corev1.FileKeySelector) {
	j.text(at.Child("key"), r.Key, envName)
	j.text(at.Child("volumeName"), r.VolumeName, dnsLabel)
	if r.Path == "" {
		j.missing(at.Child("path"))
	}
	j.noBacksteps(at.Child("path"), r.Path)
}

// fieldRef refuses a field that the kubelet cannot hand on. Labels and annotations are
// taken one by one, as metadata.labels['a'].
func (j *judge) fieldRef(at *field.Path, r *corev1.ObjectFieldSelector, allowed []string) {
	path := at.Child("fieldPath")
	oneOf(j, at.Child("apiVersion"), r.APIVersion, "v1")
	if r.FieldPath == "" {
		j.missing(path)
		return
	}
	name, key, subscript := strings.Cut(r.FieldPath, "['")
	if !subscript || !strings.HasSuffix(key, "']") {
		oneOf(j, path, r.FieldPath, allowed...)
		return
	}
	key = strings.TrimSuffix(key, "']")
	switch name {
	case "metadata.annotations":
		j.text(path, strings.ToLower(key), labelKey)
	case "metadata.labels":
		j.text(path, key, labelKey)
	default:
		j.bad(path, "must be one of metadata.annotations['<key>'], metadata.labels['<key>'], %s (got %q)", strings.Join(allowed, ", "), r.FieldPath)
	}
}

func (j *judge) resourceRef(at *field.Path, r *corev1.ResourceFieldSelector) {
	huge := strings.HasPrefix(r.Resource, "requests.hugepages-") || strings.HasPrefix(r.Resource, "limits.hugepages-")
	if !huge {
		need(j, at.Child("resource"), r.Resource, resourceFields...)
	}
	divisor := r.Divisor.String()
	switch {
	case r.Divisor.Cmp(resource.Quantity{}) == 0:
	case strings.HasSuffix(r.Resource, ".cpu"):
		oneOf(j, at.Child("divisor"), divisor, "1m", "1")
	case huge || slices.Contains(resourceFields, r.Resource):
		oneOf(j, at.Child("divisor"), divisor, byteDivisors...)
	}
}

func (j *judge) envFrom(at *field.Path, v *corev1.EnvFromSource) {
	j.optional(at.Child("prefix"), v.Prefix, envName)
	j.members(at, []string{"configMapRef", "secretRef"}, v.ConfigMapRef != nil, v.SecretRef != nil)
	if r := v.ConfigMapRef; r != nil {
		j.text(at.Child("configMapRef").Child("name"), r.Name, dnsSubdomain)
	}
	if r := v.SecretRef; r != nil {
		j.text(at.Child("secretRef").Child("name"), r.Name, dnsSubdomain)
	}
}
