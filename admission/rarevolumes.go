package admission

import (
	"net"
	"path"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// rareSources judges the sources of volumes that drivers of CSI have replaced.
func (j *judge) rareSources(at *field.Path, s *corev1.VolumeSource) {
	j.wants(at, s)
	if g := s.GitRepo; g != nil {
		j.below(at.Child("gitRepo").Child("directory"), g.Directory)
	}
	if d := s.GCEPersistentDisk; d != nil {
		ranged(j, at.Child("gcePersistentDisk").Child("partition"), d.Partition, 0, 255)
	}
	if d := s.AWSElasticBlockStore; d != nil {
		ranged(j, at.Child("awsElasticBlockStore").Child("partition"), d.Partition, 0, 255)
	}
	if i := s.ISCSI; i != nil {
		j.iscsi(at.Child("iscsi"), i)
	}
	if f := s.Flocker; f != nil {
		j.members(at.Child("flocker"), []string{"datasetName", "datasetUUID"}, f.DatasetName != "", f.DatasetUUID != "")
		if strings.Contains(f.DatasetName, "/") {
			j.bad(at.Child("flocker").Child("datasetName"), "must not contain / (got %q)", f.DatasetName)
		}
	}
	if f := s.FC; f != nil {
		j.fibre(at.Child("fc"), f)
	}
	if f := s.FlexVolume; f != nil {
		j.flex(at.Child("flexVolume"), f)
	}
	if d := s.AzureDisk; d != nil {
		j.azureDisk(at.Child("azureDisk"), d)
	}
	if q := s.Quobyte; q != nil {
		for pair := range strings.SplitSeq(q.Registry, ",") {
			if _, _, err := net.SplitHostPort(pair); err != nil && q.Registry != "" {
				j.bad(at.Child("quobyte").Child("registry"), "must be host:port, or several with commas between (got %q)", q.Registry)
			}
		}
		if len(q.Tenant) > 64 {
			j.bad(at.Child("quobyte").Child("tenant"), "must be at most 64 characters (has %d)", len(q.Tenant))
		}
	}
	if c := s.Cinder; c != nil && c.SecretRef != nil {
		j.there(at.Child("cinder").Child("secretRef").Child("name"), c.SecretRef.Name)
	}
	if o := s.StorageOS; o != nil {
		j.text(at.Child("storageos").Child("volumeName"), o.VolumeName, dnsLabel)
		j.optional(at.Child("storageos").Child("volumeNamespace"), o.VolumeNamespace, dnsLabel)
		if o.SecretRef != nil {
			j.there(at.Child("storageos").Child("secretRef").Child("name"), o.SecretRef.Name)
		}
	}
}

// wanted are fields of a volume's source that must not be empty.
var wanted = map[string][]string{
	"gitRepo":              {"repository"},
	"gcePersistentDisk":    {"pdName"},
	"awsElasticBlockStore": {"volumeID"},
	"glusterfs":            {"endpoints", "path"},
	"rbd":                  {"monitors", "image"},
	"cephfs":               {"monitors"},
	"cinder":               {"volumeID"},
	"azureFile":            {"secretName", "shareName"},
	"vsphereVolume":        {"volumePath"},
	"photonPersistentDisk": {"pdID"},
	"portworxVolume":       {"volumeID"},
	"quobyte":              {"registry", "volume"},
	"scaleIO":              {"gateway", "system", "volumeName"},
}

// wants judges the fields that the sources of a volume must have.
func (j *judge) wants(at *field.Path, s *corev1.VolumeSource) {
	all := reflect.ValueOf(s).Elem()
	for i, source := range sourceNames() {
		if wanted[source] == nil || all.Field(i).IsNil() {
			continue
		}
		v := all.Field(i).Elem()
		for k, name := range fieldNames(v.Type()) {
			if slices.Contains(wanted[source], name) && v.Field(k).Len() == 0 {
				j.missing(at.Child(source).Child(name))
			}
		}
	}
}

func (j *judge) iscsi(at *field.Path, i *corev1.ISCSIVolumeSource) {
	j.there(at.Child("targetPortal"), i.TargetPortal)
	if !strings.HasPrefix(i.IQN, "iqn.") && !strings.HasPrefix(i.IQN, "eui.") && !strings.HasPrefix(i.IQN, "naa.") {
		j.bad(at.Child("iqn"), "must be a qualified name that begins with iqn., eui. or naa. (got %q)", i.IQN)
	}
	ranged(j, at.Child("lun"), i.Lun, 0, 255)
	if (i.DiscoveryCHAPAuth || i.SessionCHAPAuth) && i.SecretRef == nil {
		j.missing(at.Child("secretRef"))
	}
}

func (j *judge) fibre(at *field.Path, f *corev1.FCVolumeSource) {
	j.members(at, []string{"targetWWNs", "wwids"}, len(f.TargetWWNs) > 0, len(f.WWIDs) > 0)
	if len(f.TargetWWNs) == 0 {
		return
	}
	if f.Lun == nil {
		j.missing(at.Child("lun"))
	} else {
		ranged(j, at.Child("lun"), *f.Lun, 0, 255)
	}
}

func (j *judge) flex(at *field.Path, f *corev1.FlexVolumeSource) {
	j.there(at.Child("driver"), f.Driver)
	for key := range f.Options {
		domain, _, _ := strings.Cut(key, "/")
		if domain = "." + strings.ToLower(domain); strings.HasSuffix(domain, ".kubernetes.io") || strings.HasSuffix(domain, ".k8s.io") {
			j.bad(at.Child("options").Key(key), "belongs to Kubernetes, which keeps kubernetes.io and k8s.io for itself")
		}
	}
}

func (j *judge) azureDisk(at *field.Path, d *corev1.AzureDiskVolumeSource) {
	j.there(at.Child("diskName"), d.DiskName)
	j.there(at.Child("diskURI"), d.DataDiskURI)
	managed := d.Kind != nil && *d.Kind == corev1.AzureManagedDisk
	if d.Kind != nil {
		need(j, at.Child("kind"), *d.Kind, corev1.AzureSharedBlobDisk, corev1.AzureDedicatedBlobDisk, corev1.AzureManagedDisk)
	}
	if d.CachingMode != nil {
		need(j, at.Child("cachingMode"), *d.CachingMode, corev1.AzureDataDiskCachingNone, corev1.AzureDataDiskCachingReadOnly, corev1.AzureDataDiskCachingReadWrite)
	}
	prefix := "https://"
	if managed {
		prefix = "/subscriptions/"
	}
	if !strings.HasPrefix(d.DataDiskURI, prefix) && path.Clean(d.DataDiskURI) != "." {
		j.bad(at.Child("diskURI"), "must begin with %s (got %q)", prefix, d.DataDiskURI)
	}
}
