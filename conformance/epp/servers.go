package epp

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
)

// metrics are those of an idle vLLM server, as the pickers of both lines read them.
const metrics = `# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{model_name="m"} 0
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{model_name="m"} 0
# TYPE vllm:kv_cache_usage_perc gauge
vllm:kv_cache_usage_perc{model_name="m"} 0
# TYPE vllm:cache_config_info gauge
vllm:cache_config_info{block_size="16",num_gpu_blocks="1024"} 1
# TYPE vllm:lora_requests_info gauge
vllm:lora_requests_info{max_lora="0",running_lora_adapters="",waiting_lora_adapters=""} 1
`

// serveModel stands for the model server of one Pod: it listens on the pool's ports at the Pod's address.
func serveModel(t testing.TB, ip string, ports []int) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, metrics) })
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"m","object":"model"}]}`)
	})
	for _, port := range ports {
		listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", ip, port))
		if err != nil {
			t.Fatalf("model server: %v", err)
		}
		server := &http.Server{Handler: mux}
		go server.Serve(listener)
		t.Cleanup(func() { server.Close() })
	}
}

// role returns the part in disaggregation that a Pod's labels say.
func role(labels map[string]string) string {
	return strings.TrimSpace(labels["llm-d.ai/role"])
}
