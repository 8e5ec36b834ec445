package oracle

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A maker makes values of upstream's types that are nearly right: each field has what
// belongs there, or now and then what does not.
type maker struct {
	*rand.Rand
	// wild is the share of values that may be anything, in a thousand.
	wild int
}

// words are what a text may be, by the name of its field; nearly all of them are right.
var words = map[string][]string{
	"name": {"a", "b", "c", "data", "cache", "log"}, "mountPath": {"/a", "/b", "/c/d", "/data"}, "subPath": {"x", "x/y"}, "subPathExpr": {"$(A)"},
	"path": {"/a", "a/b", "x", "y/z"}, "image": {"busybox:1"}, "protocol": {"TCP", "UDP"}, "imagePullPolicy": {"Always", "IfNotPresent"},
	"pullPolicy": {"Always", "Never"}, "key": {"a", "b", "x.io/y"}, "operator": {"Exists", "Equal", "In", "NotIn", "DoesNotExist", "Gt"},
	"effect": {"NoSchedule", "NoExecute"}, "value": {"", "x", "y", "1"}, "values": {"x", "y", "1"}, "topologyKey": {"kubernetes.io/hostname", "zone"},
	"whenUnsatisfiable": {"DoNotSchedule", "ScheduleAnyway"}, "claimName": {"c"}, "secretName": {"s"}, "fieldPath": {"metadata.name", "status.podIP", "metadata.labels['a']"},
	"containerName": {"a"}, "resource": {"limits.cpu", "requests.memory"}, "volumeName": {"a"}, "driver": {"csi.example.com"}, "server": {"nfs.example.com"},
	"scheme": {"HTTP", "HTTPS"}, "terminationMessagePolicy": {"File"}, "mountPropagation": {"None", "HostToContainer"}, "recursiveReadOnly": {"Disabled", "Enabled"},
	"restartPolicy": {"Always"}, "dnsPolicy": {"ClusterFirst", "Default", "None"}, "nodeAffinityPolicy": {"Honor", "Ignore"}, "nodeTaintsPolicy": {"Honor"},
	"apiVersion": {"v1"}, "kind": {"Service"}, "group": {""}, "namespace": {"default"}, "namespaces": {"default"}, "type": {"Exact", "PathPrefix", "RuntimeDefault", "Resource"},
	"method": {"GET", "POST"}, "scopes": {}, "nameservers": {"10.0.0.1"}, "searches": {"example.com"}, "ip": {"10.0.0.1", "fd00::1"}, "hostnames": {"a.example.com"},
	"hostIP": {"", "10.0.0.1"}, "add": {"NET_ADMIN"}, "drop": {"ALL"}, "accessModes": {"ReadWriteOnce"}, "storageClassName": {"fast"}, "matchLabelKeys": {"pod-template-hash"},
	"mismatchLabelKeys": {"other"}, "reference": {"example.com/a:1"}, "repository": {"https://example.com/a.git"}, "prefix": {"A_"}, "preemptionPolicy": {"Never"},
	"procMount": {"Default"}, "action": {"Restart"}, "resourceName": {"cpu", "memory"}, "conditionType": {"example.com/ready"}, "serviceAccountName": {"sa"},
	"hostname": {"h"}, "subdomain": {"sub"}, "schedulerName": {"default-scheduler"}, "priorityClassName": {"high"}, "runtimeClassName": {"gvisor"}, "nodeName": {"n1"},
	"fsGroupChangePolicy": {"OnRootMismatch"}, "resourceClaimName": {"rc"}, "resourceClaimTemplateName": {"rct"}, "request": {"", "r"}, "stopSignal": {"SIGTERM"},
	"replaceFullPath": {"/x"}, "replacePrefixMatch": {"/x"}, "allowOrigins": {"https://a.example.com", "*"}, "allowMethods": {"GET", "*"}, "allowHeaders": {"X-A"},
	"seLinuxChangePolicy": {"Recursive"}, "supplementalGroupsPolicy": {"Strict"}, "volumeMode": {"Filesystem", "Block"}, "devicePath": {"/dev/x"}, "command": {"sh"}, "args": {"-c"},
	"container": {"a"}, "signerName": {"example.com/s"}, "keyType": {"ED25519"}, "localhostProfile": {"p.json"},
}

// anything is what no field should be, or few.
var anything = []string{
	"", "A B", "../y", "/../x", "..", "..x", "a/b", "a//b", "/a/./b", "%2f", "/a b", "é", "UPPER", "a.b.c", "a_b", "-a", "a-", strings.Repeat("a", 64), strings.Repeat("b", 254),
	"kubernetes.io/x", "x.io/y/z", "a=b", "1", "-1", "0", "None", "Bidirectional", "Localhost", "spec.foo", "status.hostIP", "requests.hugepages-2Mi", "Exists", "In", "Lt",
	"RegularExpression", "ReplacePrefixMatch", "CORS", "URLRewrite", "RequestHeaderModifier", "Utilization", "Pods", "External", "Object", "OnFailure", "metadata.labels['a b']",
	"ReadWriteOncePod", "Unmasked", "Socket", "Directory", "SCTP", "http_x", "a--b", "toolongaportname", "$(A", "\n", "1.2.3", "300.1.1.1", "*", "WWW-X", "x/",
}

var numbers = []int64{0, 1, 1, 2, 3, 5, 10, 30, 80, 100, 443, 8000, 8443}

var odd = []int64{-1, 101, 256, 511, 512, 600, 1023, 65535, 65536, 70000, 1 << 31, 80011111}

var quantities = []string{"1", "2", "1Gi", "500m", "2Mi", "4Mi", "100Mi"}

var oddQuantities = []string{"-1", "0", "0.5", "1n", "3", "1.5", "3Mi"}

var resources = []string{"cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "rdma/ib", "hugepages-2Mi"}

var oddResources = []string{"pods", "storage", "gpu", "kubernetes.io/foo", "requests.cpu", "requests.x.io/y", "hugepages-x", "a b/c", "x.io/" + strings.Repeat("g", 60), "hugepages-1Gi", "configmaps"}

func pick[T any](m *maker, list []T) T { return list[m.IntN(len(list))] }

func (m *maker) odd() bool { return m.IntN(1000) < m.wild }

func (m *maker) chance(percent int) bool { return m.IntN(100) < percent }

// Value makes a value of the type of a pointer's target.
func (m *maker) value(v reflect.Value, name string, depth int) {
	switch v.Type() {
	case reflect.TypeFor[resource.Quantity]():
		q := pick(m, quantities)
		if m.odd() {
			q = pick(m, oddQuantities)
		}
		v.Set(reflect.ValueOf(resource.MustParse(q)))
		return
	case reflect.TypeFor[intstr.IntOrString]():
		v.Set(reflect.ValueOf(m.intOrString()))
		return
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.FieldsV1]():
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		m.value(v.Elem(), name, depth)
	case reflect.Struct:
		m.structure(v, depth)
	case reflect.Slice:
		m.slice(v, name, depth)
	case reflect.Map:
		m.mapping(v, name, depth)
	case reflect.String:
		v.SetString(m.text(name))
	case reflect.Bool:
		v.SetBool(m.chance(50))
	case reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(m.number(v.Kind() == reflect.Int32))
	}
}

func (m *maker) intOrString() intstr.IntOrString {
	switch {
	case m.odd():
		return pick(m, []intstr.IntOrString{intstr.FromInt32(-1), intstr.FromInt32(70000), intstr.FromString("150%"), intstr.FromString("a_b"), intstr.FromString("")})
	case m.chance(30):
		return intstr.FromString("http")
	}
	return intstr.FromInt32(int32(1 + m.IntN(100)))
}

func (m *maker) number(narrow bool) int64 {
	n := pick(m, numbers)
	if m.odd() {
		n = pick(m, odd)
	}
	if narrow && n > 1<<31-1 {
		n = 1<<31 - 1
	}
	return n
}

func (m *maker) text(name string) string {
	if list := words[name]; len(list) > 0 && !m.odd() {
		return pick(m, list)
	}
	if m.odd() {
		return pick(m, anything)
	}
	return pick(m, []string{"a", "b", "x"})
}

// unions are structs of which one member should be set.
var unions = map[string]int{
	"VolumeSource": 1, "ProbeHandler": 1, "LifecycleHandler": 1, "EnvVarSource": 1, "VolumeProjection": 1,
}

func (m *maker) structure(v reflect.Value, depth int) {
	t := v.Type()
	if unions[t.Name()] > 0 {
		for {
			i := m.IntN(t.NumField())
			if t.Name() == "VolumeSource" && m.chance(80) { // those that are in use
				i = slices.Index([]string{"EmptyDir", "Secret", "ConfigMap"}, "EmptyDir")
				f, _ := t.FieldByName(pick(m, []string{"EmptyDir", "Secret", "ConfigMap", "PersistentVolumeClaim", "HostPath", "Projected", "DownwardAPI", "CSI", "Ephemeral", "NFS", "Image"}))
				i = f.Index[0]
			}
			m.value(v.Field(i), fieldName(t.Field(i)), depth+1)
			if !m.odd() {
				return
			}
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name := fieldName(f)
		optional := strings.Contains(f.Tag.Get("json"), "omitempty") || f.Type.Kind() == reflect.Pointer
		switch {
		case !f.IsExported() || name == "status" || name == "-" || f.Type == reflect.TypeFor[metav1.TypeMeta]():
		case f.Anonymous:
			m.value(v.Field(i), name, depth+1)
		case optional && !m.chance(max(3, 22-4*depth)):
		case !optional && m.odd():
		default:
			m.value(v.Field(i), name, depth+1)
		}
	}
}

// field fills one field of a struct in.
func (m *maker) field(v reflect.Value) {
	i := m.IntN(v.NumField())
	f := v.Type().Field(i)
	if name := fieldName(f); v.Field(i).IsZero() || m.odd() {
		if f.Anonymous {
			m.structure(v.Field(i), 1)
			return
		}
		m.value(v.Field(i), name, 1)
	}
}

func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func (m *maker) slice(v reflect.Value, name string, depth int) {
	n := 1 + m.IntN(2)
	if m.odd() {
		n = pick(m, []int{0, 3, 4, 33})
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		m.value(v.Index(i), name, depth)
	}
}

func (m *maker) mapping(v reflect.Value, name string, depth int) {
	v.Set(reflect.MakeMap(v.Type()))
	list := []string{"a", "b", "x.io/y"}
	if v.Type().Elem() == reflect.TypeFor[resource.Quantity]() {
		list = resources
	}
	for range 1 + m.IntN(2) {
		key := reflect.New(v.Type().Key()).Elem()
		key.SetString(pick(m, list))
		if m.odd() {
			key.SetString(pick(m, append(slices.Clone(oddResources), anything...)))
		}
		value := reflect.New(v.Type().Elem()).Elem()
		m.value(value, "values", depth)
		v.SetMapIndex(key, value)
	}
}
