package admission

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// pathSegment is a name that stands alone in a path of the API.
var pathSegment = form{content.IsPathSegmentName, "a name without / and %, other than . and .."}

// metricMembers names the source that each type of metric has.
var metricMembers = map[autoscalingv2.MetricSourceType]string{
	autoscalingv2.ObjectMetricSourceType: "object", autoscalingv2.PodsMetricSourceType: "pods", autoscalingv2.ResourceMetricSourceType: "resource",
	autoscalingv2.ContainerResourceMetricSourceType: "containerResource", autoscalingv2.ExternalMetricSourceType: "external",
}

// metric judges a metric of a HorizontalPodAutoscaler (kubernetes
// pkg/apis/autoscaling/validation).
func (j *judge) metric(at *field.Path, m *autoscalingv2.MetricSpec) {
	need(j, at.Child("type"), m.Type, autoscalingv2.ResourceMetricSourceType, autoscalingv2.ContainerResourceMetricSourceType,
		autoscalingv2.PodsMetricSourceType, autoscalingv2.ObjectMetricSourceType, autoscalingv2.ExternalMetricSourceType)
	for _, member := range []struct {
		name string
		set  bool
	}{
		{"object", m.Object != nil}, {"pods", m.Pods != nil}, {"resource", m.Resource != nil},
		{"containerResource", m.ContainerResource != nil}, {"external", m.External != nil},
	} {
		wanted := metricMembers[m.Type] == member.name
		switch {
		case wanted && !member.set:
			j.bad(at.Child(member.name), "required with type: %s, but missing", m.Type)
		case !wanted && member.set && metricMembers[m.Type] != "":
			j.bad(at.Child(member.name), "cannot be combined with type: %s, which has %s", m.Type, metricMembers[m.Type])
		}
	}
	if r := m.Resource; r != nil {
		j.there(at.Child("resource").Child("name"), string(r.Name))
		j.share(at.Child("resource").Child("target"), &r.Target)
	}
	if r := m.ContainerResource; r != nil {
		at := at.Child("containerResource")
		j.text(at.Child("container"), r.Container, dnsLabel)
		if !containerResource(r.Name) {
			j.bad(at.Child("name"), "must be a resource of a container, such as cpu (got %q)", r.Name)
		}
		j.share(at.Child("target"), &r.Target)
	}
	if p := m.Pods; p != nil {
		j.identifier(at.Child("pods").Child("metric"), &p.Metric)
		j.target(at.Child("pods").Child("target"), &p.Target)
		if p.Target.AverageValue == nil {
			j.missing(at.Child("pods").Child("target").Child("averageValue"))
		}
	}
	if o := m.Object; o != nil {
		j.object(at.Child("object"), o)
	}
	if e := m.External; e != nil {
		at := at.Child("external")
		j.identifier(at.Child("metric"), &e.Metric)
		j.target(at.Child("target"), &e.Target)
		j.members(at.Child("target"), []string{"value", "averageValue"}, e.Target.Value != nil, e.Target.AverageValue != nil)
	}
}

func (j *judge) object(at *field.Path, o *autoscalingv2.ObjectMetricSource) {
	of := at.Child("describedObject")
	j.text(of.Child("kind"), o.DescribedObject.Kind, pathSegment)
	j.text(of.Child("name"), o.DescribedObject.Name, pathSegment)
	if _, err := schema.ParseGroupVersion(o.DescribedObject.APIVersion); err != nil {
		j.bad(of.Child("apiVersion"), "must be group/version (got %q)", o.DescribedObject.APIVersion)
	}
	j.identifier(at.Child("metric"), &o.Metric)
	j.target(at.Child("target"), &o.Target)
	if o.Target.Value == nil && o.Target.AverageValue == nil {
		j.bad(at.Child("target"), "needs value or averageValue")
	}
}

func (j *judge) identifier(at *field.Path, m *autoscalingv2.MetricIdentifier) {
	j.text(at.Child("name"), m.Name, pathSegment)
	j.selector(at.Child("selector"), m.Selector)
}

// share judges a target that is a value, or a part of what is requested.
func (j *judge) share(at *field.Path, t *autoscalingv2.MetricTarget) {
	j.target(at, t)
	j.members(at, []string{"averageUtilization", "averageValue"}, t.AverageUtilization != nil, t.AverageValue != nil)
}

func (j *judge) target(at *field.Path, t *autoscalingv2.MetricTarget) {
	need(j, at.Child("type"), t.Type, autoscalingv2.UtilizationMetricType, autoscalingv2.ValueMetricType, autoscalingv2.AverageValueMetricType)
	j.positive(at.Child("value"), t.Value)
	j.positive(at.Child("averageValue"), t.AverageValue)
	if t.AverageUtilization != nil {
		least(j, at.Child("averageUtilization"), *t.AverageUtilization, 1)
	}
}

func (j *judge) positive(at *field.Path, q *resource.Quantity) {
	if q != nil && q.Sign() <= 0 {
		j.bad(at, "must be above 0 (got %s)", q.String())
	}
}

// claimSpec judges a claim for a volume.
func (j *judge) claimSpec(at *field.Path, s *corev1.PersistentVolumeClaimSpec) {
	if len(s.AccessModes) == 0 {
		j.missing(at.Child("accessModes"))
	}
	for i, mode := range s.AccessModes {
		need(j, at.Child("accessModes").Index(i), mode, corev1.ReadWriteMany, corev1.ReadWriteOnce, corev1.ReadOnlyMany, corev1.ReadWriteOncePod)
		if mode == corev1.ReadWriteOncePod && len(s.AccessModes) > 1 {
			j.bad(at.Child("accessModes").Index(i), "ReadWriteOncePod must be the only mode")
		}
	}
	size := at.Child("resources").Child("requests").Key("storage")
	if q, ok := s.Resources.Requests[corev1.ResourceStorage]; ok {
		j.positive(size, &q)
	} else {
		j.missing(size)
	}
	j.selector(at.Child("selector"), s.Selector)
	for name, class := range map[string]*string{"storageClassName": s.StorageClassName, "volumeAttributesClassName": s.VolumeAttributesClassName} {
		if class != nil {
			j.optional(at.Child(name), *class, dnsSubdomain)
		}
	}
	if s.VolumeMode != nil {
		need(j, at.Child("volumeMode"), *s.VolumeMode, corev1.PersistentVolumeFilesystem, corev1.PersistentVolumeBlock)
	}
	j.dataSource(at, s)
}

func (j *judge) dataSource(at *field.Path, s *corev1.PersistentVolumeClaimSpec) {
	if d := s.DataSource; d != nil {
		at := at.Child("dataSource")
		j.there(at.Child("name"), d.Name)
		j.there(at.Child("kind"), d.Kind)
		if d.APIGroup == nil || *d.APIGroup == "" {
			if d.Kind != "PersistentVolumeClaim" {
				j.bad(at.Child("kind"), "must be PersistentVolumeClaim without apiGroup (got %q)", d.Kind)
			}
		} else {
			j.text(at.Child("apiGroup"), *d.APIGroup, dnsSubdomain)
		}
	}
	if d := s.DataSourceRef; d != nil {
		at := at.Child("dataSourceRef")
		j.there(at.Child("name"), d.Name)
		j.there(at.Child("kind"), d.Kind)
		if d.APIGroup != nil {
			j.optional(at.Child("apiGroup"), *d.APIGroup, dnsSubdomain)
		}
		if (d.APIGroup == nil || *d.APIGroup == "") && d.Kind != "PersistentVolumeClaim" {
			j.bad(at.Child("kind"), "must be PersistentVolumeClaim without apiGroup (got %q)", d.Kind)
		}
		if d.Namespace != nil {
			j.bad(at.Child("namespace"), "needs a feature of Kubernetes that is off by default, CrossNamespaceVolumeDataSource")
		}
	}
	if a, b := s.DataSource, s.DataSourceRef; a != nil && b != nil && (a.Name != b.Name || a.Kind != b.Kind) {
		j.bad(at.Child("dataSource"), "must be the same as dataSourceRef, or be left out")
	}
}
