package wiring

import (
	"strings"
	"testing"
)

// TestUnknownRoles labels the encode servers with other roles.
func TestUnknownRoles(t *testing.T) {
	for role, remedy := range map[string]string{
		"encoder": "did you mean encode?", "prefiller": "did you mean prefill?", "decoder": "did you mean decode?", "Prefill": "did you mean prefill?",
		"prefill_decode": "did you mean prefill-decode?", "prefil": "did you mean prefill?", "worker": "use one of encode-prefill-decode, ",
		"encode": "", "prefill": "", "decode": "", "both": "", "prefill-decode": "", "encode-prefill": "", "encode-prefill-decode": "", "'{{ .role }}'": "", "''": "",
	} {
		t.Run(role, func(t *testing.T) {
			found := said(t, strings.Replace(read(t, "encode"), "        llm-d.ai/role: encode\n", "        llm-d.ai/role: "+role+"\n", 1), "pd-role-unknown")
			if remedy == "" && len(found) > 0 || remedy != "" && (len(found) != 1 || !strings.Contains(found[0], remedy)) {
				t.Errorf("found %q, want %q", found, remedy)
			}
		})
	}
}

// TestRolesOfOnesOwn leaves a role alone that a filter of the configuration names.
func TestRolesOfOnesOwn(t *testing.T) {
	text := strings.Replace(read(t, "encode"), "        llm-d.ai/role: encode\n", "        llm-d.ai/role: vision\n", 1)
	if found := said(t, text, "pd-role-unknown"); len(found) != 1 {
		t.Fatalf("found %q", found)
	}
	own := strings.Replace(text, "- type: encode-filter\n", "- type: by-label\n      parameters: {label: llm-d.ai/role, validValues: [vision]}\n", 1)
	if found := said(t, own, "pd-role-unknown"); own == text || len(found) > 0 {
		t.Errorf("found %q", found)
	}
}

// TestMisspeltTransferFlags misspells the flags of connectors, and writes one twice.
func TestMisspeltTransferFlags(t *testing.T) {
	const files = `"--ec_transfer_config={\"ec_connector\":\"ECExampleConnector\",\"ec_role\":\"ec_producer\"}"`
	for name, v := range map[string]struct {
		rule, old, new string
		found          []string
	}{
		"both":      {"ec-connector", "--ec-transfer-config=", "--ec-transfer-configs=", []string{"did you mean --ec-transfer-config?", "did you mean --ec-transfer-config?"}},
		"a letter":  {"ec-connector", `--ec-transfer-config={"ec_connector":"ECCPUConnector","ec_role":"ec_consumer"`, `--ec-transfer-confg={"ec_connector":"ECCPUConnector","ec_role":"ec_consumer"`, []string{"did you mean --ec-transfer-config?"}},
		"other":     {"ec-connector", "--ec-transfer-config=", "--ec-transfer=", []string{"give both an --ec-transfer-config", "give both an --ec-transfer-config"}},
		"of KV":     {"pd-connector", "--kv-transfer-config=", "--kv-transfer-configs=", []string{"did you mean --kv-transfer-config?", "did you mean --kv-transfer-config?"}},
		"one field": {"ec-connector", "--ec-transfer-config=", "--ec-transfer-config.x=", nil},
		"the last":  {"ec-connector", "- --mm-encoder-only\n", "- --mm-encoder-only\n        - --ec-transfer-config={}\n        - " + files + "\n", []string{"give both an --ec-transfer-config"}},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(read(t, "encode"), v.old, v.new)
			found := said(t, text, v.rule)
			if text == read(t, "encode") || len(found) != len(v.found) {
				t.Fatalf("found %q, want %q", found, v.found)
			}
			for i, want := range v.found {
				if !strings.Contains(found[i], want) {
					t.Errorf("found %q, want %q", found[i], want)
				}
			}
		})
	}
}

// TestLastFlagCounts takes the later of two spellings, as vLLM's argument parser does.
func TestLastFlagCounts(t *testing.T) {
	for args, want := range map[string]string{
		"[--block-size=16, --block_size=32]": "32", "[--block_size=32, --block-size=16]": "16", "[--block-size=16, --block-size=64]": "64", "[--block_size=8]": "8",
	} {
		objects, err := Read("", []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: m}\nspec: {containers: [{name: vllm, image: 'vllm/vllm-openai:v0.30.0', args: "+args+"}]}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := Graph(objects).Pods[0].containers[0].flag("block-size"); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
