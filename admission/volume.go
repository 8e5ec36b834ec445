package admission

import (
	"path"
	"reflect"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// volume judges a volume by itself. One without a source is an emptyDir: the API server
// fills it in.
func (j *judge) volume(at *field.Path, v *corev1.Volume) {
	j.text(at.Child("name"), v.Name, dnsLabel)
	var there []string
	for name, set := range sources(&v.VolumeSource) {
		if set {
			there = append(there, name)
		}
	}
	if len(there) > 1 {
		j.bad(at, "must have one source, not several: %s", strings.Join(there, ", "))
	}
	j.simpleSources(at, &v.VolumeSource)
	if s := v.Secret; s != nil {
		at := at.Child("secret")
		j.text(at.Child("secretName"), s.SecretName, anyText)
		j.mode(at.Child("defaultMode"), s.DefaultMode)
		j.items(at.Child("items"), s.Items)
	}
	if c := v.ConfigMap; c != nil {
		at := at.Child("configMap")
		j.text(at.Child("name"), c.Name, anyText)
		j.mode(at.Child("defaultMode"), c.DefaultMode)
		j.items(at.Child("items"), c.Items)
	}
	if d := v.DownwardAPI; d != nil {
		j.mode(at.Child("downwardAPI").Child("defaultMode"), d.DefaultMode)
		for i := range d.Items {
			j.downwardFile(at.Child("downwardAPI").Child("items").Index(i), &d.Items[i])
		}
	}
	if p := v.Projected; p != nil {
		j.projected(at.Child("projected"), p)
	}
	if e := v.Ephemeral; e != nil {
		j.ephemeral(at.Child("ephemeral"), e)
	}
	j.rareSources(at, &v.VolumeSource)
}

// anyText is for names that the API server only wants to be there, though no object has
// such a name: they are held to those that objects can have.
var anyText = dnsSubdomain

// sources lists the sources of a volume in the order of their fields, and which are set.
func sources(s *corev1.VolumeSource) func(yield func(string, bool) bool) {
	return func(yield func(string, bool) bool) {
		v := reflect.ValueOf(s).Elem()
		for i, name := range sourceNames() {
			if !yield(name, !v.Field(i).IsNil()) {
				return
			}
		}
	}
}

var sourceNames = sync.OnceValue(func() []string { return fieldNames(reflect.TypeFor[corev1.VolumeSource]()) })

// fieldNames are the names in JSON of the fields of a struct.
func fieldNames(t reflect.Type) []string {
	out := make([]string, t.NumField())
	for i := range out {
		out[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	return out
}

func (j *judge) simpleSources(at *field.Path, s *corev1.VolumeSource) {
	if e := s.EmptyDir; e != nil && e.SizeLimit != nil && e.SizeLimit.Sign() < 0 {
		j.bad(at.Child("emptyDir").Child("sizeLimit"), "must not be negative (got %s)", e.SizeLimit.String())
	}
	if h := s.HostPath; h != nil {
		at := at.Child("hostPath")
		j.there(at.Child("path"), h.Path)
		j.noBacksteps(at.Child("path"), h.Path)
		if h.Type != nil {
			oneOf(j, at.Child("type"), *h.Type, corev1.HostPathDirectoryOrCreate, corev1.HostPathDirectory, corev1.HostPathFileOrCreate,
				corev1.HostPathFile, corev1.HostPathSocket, corev1.HostPathCharDev, corev1.HostPathBlockDev)
		}
	}
	if c := s.PersistentVolumeClaim; c != nil {
		j.text(at.Child("persistentVolumeClaim").Child("claimName"), c.ClaimName, dnsSubdomain)
	}
	if n := s.NFS; n != nil {
		j.there(at.Child("nfs").Child("server"), n.Server)
		if !path.IsAbs(n.Path) {
			j.bad(at.Child("nfs").Child("path"), "must be an absolute path (got %q)", n.Path)
		}
	}
	if c := s.CSI; c != nil {
		j.csiDriver(at.Child("csi").Child("driver"), c.Driver)
		if r := c.NodePublishSecretRef; r != nil {
			j.text(at.Child("csi").Child("nodePublishSecretRef").Child("name"), r.Name, dnsSubdomain)
		}
	}
	if i := s.Image; i != nil {
		j.there(at.Child("image").Child("reference"), i.Reference)
		oneOf(j, at.Child("image").Child("pullPolicy"), i.PullPolicy, corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever)
	}
}

func (j *judge) csiDriver(at *field.Path, name string) {
	if len(name) > 63 {
		j.bad(at, "must be at most 63 characters (has %d)", len(name))
	}
	j.text(at, strings.ToLower(name), dnsSubdomain)
}

// there refuses a text that is missing.
func (j *judge) there(at *field.Path, value string) {
	if value == "" {
		j.missing(at)
	}
}

func (j *judge) items(at *field.Path, items []corev1.KeyToPath) {
	for i, item := range items {
		j.there(at.Index(i).Child("key"), item.Key)
		j.file(at.Index(i).Child("path"), item.Path)
		j.mode(at.Index(i).Child("mode"), item.Mode)
	}
}

func (j *judge) downwardFile(at *field.Path, f *corev1.DownwardAPIVolumeFile) {
	j.file(at.Child("path"), f.Path)
	j.mode(at.Child("mode"), f.Mode)
	j.members(at, []string{"fieldRef", "resourceFieldRef"}, f.FieldRef != nil, f.ResourceFieldRef != nil)
	if f.FieldRef != nil {
		j.fieldRef(at.Child("fieldRef"), f.FieldRef, volumeFields)
	}
	if r := f.ResourceFieldRef; r != nil {
		j.there(at.Child("resourceFieldRef").Child("containerName"), r.ContainerName)
		j.resourceRef(at.Child("resourceFieldRef"), r)
	}
}

func (j *judge) ephemeral(at *field.Path, e *corev1.EphemeralVolumeSource) {
	if e.VolumeClaimTemplate == nil {
		j.missing(at.Child("volumeClaimTemplate"))
		return
	}
	at = at.Child("volumeClaimTemplate")
	meta := e.VolumeClaimTemplate.ObjectMeta
	if meta.Name != "" || meta.Namespace != "" || meta.GenerateName != "" || len(meta.Finalizers) > 0 || len(meta.OwnerReferences) > 0 {
		j.bad(at.Child("metadata"), "must have labels and annotations only")
	}
	j.labels(at.Child("metadata").Child("labels"), meta.Labels)
	j.annotations(at.Child("metadata").Child("annotations"), meta.Annotations)
	j.claimSpec(at.Child("spec"), &e.VolumeClaimTemplate.Spec)
}
