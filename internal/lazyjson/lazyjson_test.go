package lazyjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	kjson "sigs.k8s.io/json"
)

// kinds are Go types with everything that the Kubernetes API has.
func kinds() []any {
	return []any{
		&appsv1.Deployment{}, &corev1.ConfigMap{}, &corev1.Secret{}, &corev1.Service{}, &rbacv1.ClusterRole{},
		&autoscalingv2.HorizontalPodAutoscaler{}, &networkingv1.NetworkPolicy{}, &gwapiv1.HTTPRoute{},
		&corev1.PersistentVolumeClaim{}, &odd{},
	}
}

// odd has what Go types may have and those of Kubernetes rarely do.
type odd struct {
	metav1.TypeMeta `json:",inline"`
	Named           metav1.TypeMeta   `json:"named,omitzero"`
	Any             any               `json:"any"`
	Anys            map[string]any    `json:"anys,omitempty"`
	Float           float64           `json:"float"`
	Small           float32           `json:"small,omitempty"`
	Bytes           []byte            `json:"bytes"`
	Array           [3]int8           `json:"array"`
	Unsigned        uint16            `json:"unsigned,omitempty"`
	ByNumber        map[int]string    `json:"byNumber,omitempty"`
	Time            metav1.Time       `json:"time,omitempty"`
	When            *metav1.MicroTime `json:"when,omitempty"`
	Go              time.Time         `json:"go,omitzero"`
	Hidden          string            `json:"-"`
	Untagged        string
	Raw             json.RawMessage                 `json:"raw,omitempty"`
	Extension       runtime.RawExtension            `json:"extension,omitempty"`
	Quantities      map[string]resource.Quantity    `json:"quantities,omitempty"`
	Ports           []intstr.IntOrString            `json:"ports"`
	Pointers        map[corev1.ResourceName]**int64 `json:"pointers,omitempty"`
	inner
	Inner inner `json:"inner"`
}

type inner struct {
	Deep string `json:"deep,omitempty"`
	metav1.LabelSelector
	MatchExpressions []string `json:"matchExpressions,omitempty"` // in place of the selector's
}

// filled is a value of a type with about half of its fields, to a depth.
func filled(r *rand.Rand, v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case resource.Quantity:
		v.Set(reflect.ValueOf(resource.MustParse([]string{"1", "500m", "2Gi"}[r.Intn(3)])))
		return
	case metav1.Time:
		v.Set(reflect.ValueOf(metav1.Unix(r.Int63n(1e9), 0)))
		return
	case metav1.MicroTime:
		v.Set(reflect.ValueOf(metav1.MicroTime{Time: time.Unix(r.Int63n(1e9), 0)}))
		return
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(r.Int63n(1e9), 0).UTC()))
		return
	case intstr.IntOrString:
		v.Set(reflect.ValueOf([]intstr.IntOrString{intstr.FromInt32(r.Int31()), intstr.FromString("http")}[r.Intn(2)]))
		return
	case json.RawMessage:
		v.Set(reflect.ValueOf(json.RawMessage(`{"a":[1,"<"]}`)))
		return
	case runtime.RawExtension:
		v.Set(reflect.ValueOf(runtime.RawExtension{Raw: []byte(`{"b":null}`)}))
		return
	case metav1.FieldsV1:
		v.Set(reflect.ValueOf(*metav1.NewFieldsV1(`{"f:x":{}}`)))
		return
	}
	some := func() int { return r.Intn(3) }
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && (f.Kind() == reflect.Struct || r.Intn(2) == 0) {
				filled(r, f, depth-1)
			}
		}
	case reflect.Pointer:
		if depth > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			filled(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		n := some()
		if depth <= 0 {
			n = 0
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			filled(r, v.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			filled(r, v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range some() {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			filled(r, key, depth-1)
			filled(r, elem, depth-1)
			v.SetMapIndex(key, elem)
		}
	case reflect.Interface:
		values := []any{nil, "text", int64(3), 2.5, true, []any{int64(1), "x"}, map[string]any{"b": "c", "a": nil}}
		if value := values[r.Intn(len(values))]; value != nil {
			v.Set(reflect.ValueOf(value))
		}
	case reflect.String:
		v.SetString([]string{"", "plain", "a\"b\\c", "<&>", "tab\tline\n", "é\u2028\x00\x7f", "bad\xff"}[r.Intn(7)])
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(int8(r.Int())))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(uint8(r.Int())))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1.5, 1e-9, 1e30, -3}[r.Intn(5)])
	}
}

func usual(t *testing.T, v any) []byte {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// What is written is what encoding/json writes, and what is read of it is what the API server
// reads.
func TestAsEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 60 {
		for _, kind := range kinds() {
			v := reflect.New(reflect.TypeOf(kind).Elem())
			filled(r, v.Elem(), 9)
			want := usual(t, v.Interface())
			got := Append(nil, v.Interface())
			if !bytes.Equal(got, want) {
				t.Fatalf("%T:\n got %s\nwant %s", kind, got, want)
			}
			same(t, want, kind)
		}
	}
}

// same holds Decode to sigs.k8s.io/json on one text.
func same(t *testing.T, text []byte, kind any) {
	t.Helper()
	mine, theirs := reflect.New(reflect.TypeOf(kind).Elem()), reflect.New(reflect.TypeOf(kind).Elem())
	err, want := Decode(text, mine.Interface()), kjson.UnmarshalCaseSensitivePreserveInts(text, theirs.Interface())
	if (err == nil) != (want == nil) {
		t.Fatalf("%T %s:\n got error %v\nwant %v", kind, text, err, want)
	}
	if err == nil && !reflect.DeepEqual(mine.Interface(), theirs.Interface()) {
		t.Fatalf("%T %s:\n got %+v\nwant %+v", kind, text, mine.Interface(), theirs.Interface())
	}
}

func TestUnmarshalNumbers(t *testing.T) {
	text := []byte(`{"any":1,"anys":{"a":[2,2.5],"b":{"c":-3}}}`)
	var got, want odd
	if err := errors.Join(Unmarshal(text, &got), json.Unmarshal(text, &want)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v: %v", got, want, err)
	}
}

func TestAppendUntyped(t *testing.T) {
	u := &unstructured.Unstructured{Object: map[string]any{"kind": "X", "apiVersion": "v1", "spec": map[string]any{"b": int64(1), "a": []any{"<", nil, 1.5}}}}
	if got, want := Append(nil, u), usual(t, u); !bytes.Equal(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, v := range []any{nil, (*corev1.Pod)(nil), map[string]any(nil), []string(nil), []any{}, "x", 3} {
		if got, want := Append(nil, v), usual(t, v); !bytes.Equal(got, want) {
			t.Errorf("%T: got %s, want %s", v, got, want)
		}
	}
}

var texts = []string{
	`{}`, ` { } `, `null`, `{"any":null}`, `{"any":12345678901}`, `{"any":1e2,"anys":{"a":[],"b":{},"c":-0,"d":1.0}}`,
	`{"Any":1,"unknown":{"a":[1,{"b":"}"}]},"any":"x"}`, `{"float":3,"small":2,"bytes":"aGk=","array":[1,2,3,4]}`,
	`{"array":[300]}`, `{"unsigned":-1}`, `{"float":"x"}`, `{"any":tru}`, `{"named":[]}`, `{"ports":{}}`, `{"ports":[1,"a",]}`,
	`{"ports":[1 2]}`, `{"ports":[,1]}`, `{"any":1,}`, `{"any" 1}`, `{any:1}`, `{"any":"a`, `{"any":[1,2}`, `{"any":1}x`, `[`, ``, `{"named":null,"ports":null,"time":null}`,
	`{"Untagged":"\u00e9\ud83d\ude00"}`, `{"pointers":{"a":1,"b":null}}`, `{"byNumber":{"1":"x"}}`, `{"anys":{"a":1},"anys":{"b":2}}`,
	`{"quantities":{"cpu":"1","bad":"x"}}`, `{"kind":3}`, `{"any":01}`, `{"any":+1}`, `{"any":-}`, `{"any":9223372036854775808}`, "{\"any\":\"a\nb\"}",
}

func TestDecodeText(t *testing.T) {
	for _, text := range texts {
		same(t, []byte(text), &odd{})
	}
	deep := strings.Repeat(`{"any":`, 1) + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}"
	if err := Decode([]byte(deep), &odd{}); err == nil {
		t.Error("a value as deep as the stack is no error")
	}
}

// FuzzDecode: no text panics, and a valid one is read as the API server reads it.
func FuzzDecode(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if json.Valid([]byte(text)) {
			same(t, []byte(text), &odd{})
		} else {
			_ = Decode([]byte(text), &odd{}) // what is skipped need not be valid
		}
	})
}

// TestStrings writes and reads strings of all kinds of characters, as encoding/json does.
func TestStrings(t *testing.T) {
	kinds := []string{"a", " ", "~", "\"", "\\", "/", "<", "\n", "\t", "\r", "\b", "\x00", "\x7f", "é", "\u2028", "\xff", "😀"}
	random := rand.New(rand.NewSource(1))
	for range 20_000 {
		var s string
		for range random.Intn(6) {
			s += kinds[random.Intn(len(kinds))]
		}
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		quoted := bytes.TrimSuffix(want.Bytes(), []byte("\n"))
		if got := AppendString(nil, s); !bytes.Equal(got, quoted) {
			t.Fatalf("%q is written %s, want %s", s, got, quoted)
		}
		// As others may write it: with each escape there is, or with none.
		for _, text := range []string{string(quoted), `"` + strings.NewReplacer(`"`, `\u0022`, `\`, `\\`).Replace(s) + `"`, `"` + s + `"`} {
			var whole, got string
			wrong := json.Unmarshal([]byte(text), &whole)
			if err := Unmarshal([]byte(text), &got); (err != nil) != (wrong != nil) || err == nil && got != whole {
				t.Fatalf("%q is read %q, %v, want %q, %v", text, got, err, whole, wrong)
			}
		}
	}
}
