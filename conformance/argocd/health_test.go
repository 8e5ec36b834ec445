// Package argocd runs the health checks of examples/gitops in the Lua interpreter of Argo CD, with the libraries that
// Argo CD opens for checks from argocd-cm: package, base, table and os, no more (util/lua/lua.go, Argo CD v3.1.0).
package argocd

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/report"
)

const prefix = "resource.customizations.health."

// checks are the scripts of argocd-cm by group_Kind.
func checks(t *testing.T) map[string]string {
	t.Helper()
	root, err := assets.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(root), "examples/gitops/argocd-plugin/install/health.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var config corev1.ConfigMap
	if err := yaml.UnmarshalStrict(text, &config); err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{}
	for key, script := range config.Data {
		name, ok := strings.CutPrefix(key, prefix)
		if !ok {
			t.Errorf("Argo CD does not read the key %s", key)
		}
		scripts[name] = script
	}
	return scripts
}

// health runs a script over an object.
func health(t *testing.T, script, object string) (status, message string) {
	t.Helper()
	l := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer l.Close()
	for name, open := range map[string]lua.LGFunction{
		lua.LoadLibName: lua.OpenPackage, lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable,
	} {
		l.Push(l.NewFunction(open))
		l.Push(lua.LString(name))
		l.Call(1, 0)
	}
	data, err := yaml.YAMLToJSON([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	l.SetGlobal("obj", toLua(l, value))
	if err := l.DoString(script); err != nil {
		t.Fatal(err)
	}
	result, ok := l.Get(-1).(*lua.LTable)
	if !ok {
		t.Fatalf("the check returns a %s", l.Get(-1).Type())
	}
	return result.RawGetString("status").String(), result.RawGetString("message").String()
}

// toLua is a JSON value as Argo CD hands it over.
func toLua(l *lua.LState, value any) lua.LValue {
	switch v := value.(type) {
	case bool:
		return lua.LBool(v)
	case float64:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case []any:
		table := l.NewTable()
		for _, item := range v {
			table.Append(toLua(l, item))
		}
		return table
	case map[string]any:
		table := l.NewTable()
		for key, item := range v {
			table.RawSetString(key, toLua(l, item))
		}
		return table
	}
	return lua.LNil
}

var table = report.New("Argo CD: health checks in its Lua interpreter", "check", "program", "version", "objects")

func TestMain(m *testing.M) { report.Main(m, table) }

func TestHealth(t *testing.T) {
	scripts := checks(t)
	tested := map[string]int{}
	for _, c := range cases {
		t.Run(c.kind+"/"+c.name, func(t *testing.T) {
			script := scripts[c.kind]
			if script == "" {
				t.Fatal("no check for this kind")
			}
			tested[c.kind]++
			status, message := health(t, script, c.object)
			if status != c.status || !strings.Contains(message, c.message) {
				t.Errorf("got %s (%s), want %s (%s)", status, message, c.status, c.message)
			}
		})
	}
	for _, kind := range slices.Sorted(maps.Keys(scripts)) {
		if tested[kind] == 0 {
			t.Errorf("the check of %s is not tested", kind)
		}
		table.Row(t, kind, "gopher-lua", luaVersion(t), tested[kind])
	}
}

// luaVersion is the version of the interpreter that this module requires.
func luaVersion(t *testing.T) string {
	t.Helper()
	version, err := assets.Required("github.com/yuin/gopher-lua")
	if err != nil {
		t.Fatal(err)
	}
	return version
}
