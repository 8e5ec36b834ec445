package fn

import (
	"strings"
	"testing"
)

// TestFunctionLossy gives the function a resource with a field that no stack has.
func TestFunctionLossy(t *testing.T) {
	configMap := func(data string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: inferstack\n" + data
	}
	annotated := func(value string) string {
		return strings.Replace(misspelt, "  name: sim\n", "  name: sim\n  annotations:\n    inferstack.dev/lossy: "+value+"\n", 1)
	}
	const unknown = "spec.replica: unknown field"
	for name, tc := range map[string]struct {
		config, item string
		says         string
		code         int
	}{
		"no config":                 {"", misspelt, unknown, exitError},
		"a ConfigMap without data":  {configMap(""), misspelt, unknown, exitError},
		"lossy":                     {configMap("data:\n  lossy: \"true\"\n"), misspelt, "warning: " + unknown, exitOK},
		"not lossy":                 {configMap("data:\n  lossy: \"false\"\n"), misspelt, unknown, exitError},
		"by annotation":             {strings.Replace(configMap(""), "  name", "  annotations:\n    inferstack.dev/lossy: \"true\"\n  name", 1), misspelt, "warning: " + unknown, exitOK},
		"of what is compiled":       {annotated(`"true"`), "", "warning: " + unknown, exitOK},
		"not of what is compiled":   {annotated(`"false"`), "", unknown, exitError},
		"on an item, as none takes": {"", annotated(`"true"`), unknown, exitError},
		"misspelt":                  {configMap("data:\n  lossy: \"yes\"\n"), misspelt, `functionConfig: data.lossy: must be true or false (got "yes")`, exitError},
		"annotation misspelt":       {annotated("maybe"), "", `functionConfig: metadata.annotations[inferstack.dev/lossy]: must be true or false (got "maybe")`, exitError},
		"another setting":           {configMap("data:\n  model: x\n"), misspelt, "functionConfig: data.model: a ConfigMap cannot hold settings other than lossy, kserveGateway and kserveGatewayClass", exitError},
	} {
		t.Run(name, func(t *testing.T) {
			var items []string
			if tc.item != "" {
				items = append(items, tc.item)
			}
			got := call(t, resources(tc.config, items...))
			if got.code != tc.code || !strings.Contains(got.errors, tc.says) || strings.Contains(got.errors, "warning: "+unknown) != (tc.code == exitOK) {
				t.Errorf("%d %s", got.code, got.errors)
			}
			if tc.code != exitOK {
				return
			}
			list := parseList(t, got.out)
			for _, item := range list.Items {
				annotations, _ := item["metadata"].(map[string]any)["annotations"].(map[string]any)
				if item["kind"] != "SimulatorDeployment" && item["kind"] != "ConfigMap" && annotations["inferstack.dev/lossy"] != nil {
					t.Errorf("%v has the function's own setting", item["kind"])
				}
			}
			if len(list.Items) < 2 {
				t.Errorf("only %d objects", len(list.Items))
			}
		})
	}
}
