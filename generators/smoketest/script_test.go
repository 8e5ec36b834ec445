package smoketest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/inferstack/inferstack/generators/internal/stacktest"
	"github.com/inferstack/inferstack/internal/long"
)

const disaggregated = `apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata: {name: demo, namespace: llm-d}
spec:
  model: {name: org/model}
  server: {engine: simulator}
  prefill: {}
  gateway: {class: istio}
  route: {hostnames: [llm.example.com], matches: [{headers: [{name: x-model, value: a b}]}]}
  delivery: {smokeTest: {}}
`

// A world stands for all that the test asks: gateway, endpoint picker and the servers of both
// roles.
type world struct {
	status               int    // of the gateway's answer
	body                 string // of it
	ready                string // metric of the endpoint picker; "" closes the connection
	prefills, decodes    atomic.Int64
	noPrefill, noDecode  bool
	encode               bool // there are encode servers
	encodes              atomic.Int64
	noEncode             bool
	refuses              int64 // requests that fail before the first that does not
	asked                atomic.Int64
	wrongHost, wrongBody atomic.Bool
}

const completion = `{"id": "1", "object": "chat.completion", "model": "org/model", "choices": [{"message": {"content": "\"model\": \"other\""}}]}`

func (w *world) gateway(out http.ResponseWriter, r *http.Request) {
	var request struct {
		Model    string
		Messages []struct{ Content json.RawMessage }
	}
	data, _ := io.ReadAll(r.Body)
	if json.Unmarshal(data, &request) != nil || request.Model != "org/model" || len(strings.Fields(w.prompt(request.Messages[0].Content))) < 32 {
		w.wrongBody.Store(true)
	}
	if !strings.HasPrefix(r.Host, "llm.example.com:") || r.URL.Path != "/v1/chat/completions" || r.Header.Get("x-model") != "a b" {
		w.wrongHost.Store(true)
	}
	if w.asked.Add(1) <= w.refuses {
		http.Error(out, "no healthy upstream", http.StatusServiceUnavailable)
		return
	}
	if !w.noPrefill {
		w.prefills.Add(1)
	}
	if !w.noDecode {
		w.decodes.Add(1)
	}
	if w.encode && !w.noEncode {
		w.encodes.Add(1)
	}
	out.WriteHeader(w.status)
	_, _ = io.WriteString(out, w.body)
}

// prompt is the text of a message, beside an image where there are encode servers.
func (w *world) prompt(content []byte) string {
	var text string
	var parts []struct {
		Text  string
		Image struct{ URL string } `json:"image_url"`
	}
	if !w.encode {
		_ = json.Unmarshal(content, &text)
		return text
	}
	if json.Unmarshal(content, &parts) != nil || len(parts) != 2 {
		return ""
	}
	encoded := strings.TrimPrefix(parts[0].Image.URL, "data:image/png;base64,")
	if picture, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded))); err != nil || picture.Bounds().Dx() != 64 {
		return ""
	}
	return parts[1].Text
}

// metrics are those of a role; the lines around the counter must not be counted.
func metrics(count *atomic.Int64) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		name := "vllm:e2e_request_latency_seconds"
		fmt.Fprintf(out, "# HELP %s_count of requests 9\n%s_sum{model_name=\"m\"} 7.5\n%s_count{model_name=\"m\"} %d.0\n%s_count{model_name=\"n\"} 1\n", name, name, name, count.Load(), name)
	}
}

func (w *world) picker(out http.ResponseWriter, _ *http.Request) {
	if w.ready == "" {
		panic(http.ErrAbortHandler)
	}
	fmt.Fprintf(out, "llm_d_epp_ready_endpoints_sum 5\nllm_d_epp_ready_endpoints{name=\"demo\"} %s\n", w.ready)
}

func serve(t *testing.T, address string, handler http.HandlerFunc) string {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// TestScript runs the Job's own command with each hop failing.
func TestScript(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	const notFound = http.StatusNotFound
	for _, tc := range []struct {
		name  string
		world *world
		down  bool   // nothing listens at the gateway
		alone bool   // the picker's metrics are not readable
		want  string // hop, or "" where the test passes
		says  string
	}{
		{name: "passes", world: &world{status: 200, body: completion}},
		{name: "passes once servers are ready", world: &world{status: 200, body: completion, refuses: 1, ready: "0"}},
		{name: "no gateway", world: &world{}, down: true, want: "gateway", says: "does not answer"},
		{name: "no route", world: &world{status: notFound}, want: "route", says: "has no route"},
		{name: "no rewrite", world: &world{status: notFound, body: `{"detail":"Not Found"}`}, want: "route", says: "a path that it does not have"},
		{name: "no such model", world: &world{status: notFound, body: `{"error":{"message":"The model does not exist."}}`}, want: "server", says: "does not serve"},
		{name: "redirect", world: &world{status: 301}, want: "route", says: "redirects"},
		{name: "refused", world: &world{status: 403, body: "RBAC"}, want: "gateway", says: "refuses"},
		{name: "shed", world: &world{status: 429}, want: "picker", says: "sheds"},
		{name: "bad request", world: &world{status: 400, body: "too long"}, want: "server", says: "too long"},
		{name: "no servers", world: &world{status: 503, body: "no healthy upstream", ready: "0"}, want: "servers", says: "no ready server"},
		{name: "no picker", world: &world{status: 500}, want: "picker", says: "does not answer"},
		{name: "picker not asked", world: &world{status: 500, ready: "2"}, want: "picker", says: "2 servers are ready"},
		{name: "picker unknown", world: &world{status: 500}, alone: true, want: "picker", says: "answers 500"},
		{name: "server out of reach", world: &world{status: 503, body: "upstream connect error", ready: "2"}, want: "server", says: "does not reach"},
		{name: "another page", world: &world{status: 200, body: "<html>"}, want: "answer", says: "no chat completion"},
		{name: "another model", world: &world{status: 200, body: strings.Replace(completion, "org/model", "base", 1)}, want: "answer", says: `"base"`},
		{name: "no prefill", world: &world{status: 200, body: completion, noPrefill: true}, want: "prefill", says: "no prefill server"},
		{name: "an image passes", world: &world{status: 200, body: completion, encode: true}},
		{name: "no encode", world: &world{status: 200, body: completion, encode: true, noEncode: true}, want: "encode", says: "no encode server"},
		{name: "no decode", world: &world{status: 200, body: completion, noDecode: true}, want: "decode", says: "no decode server"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			long.Case(t, 3)
			t.Parallel()
			text, err := run(t, tc.world, tc.down, tc.alone)
			var failed *exec.ExitError
			switch {
			case tc.want == "" && err != nil:
				t.Errorf("%v\n%s", err, text)
			case tc.want != "" && (!errors.As(err, &failed) || failed.ExitCode() != 1):
				t.Errorf("exit: %v\n%s", err, text)
			case tc.want != "" && !strings.Contains(text, "smoke test failed at hop "+tc.want+": "):
				t.Errorf("not at hop %s:\n%s", tc.want, text)
			case !strings.Contains(text, tc.says):
				t.Errorf("does not say %q:\n%s", tc.says, text)
			}
			if tc.world.wrongHost.Load() || tc.world.wrongBody.Load() {
				t.Error("the request is not the route's, or not a long chat completion")
			}
		})
	}
}

// run executes the container's command against the world, and returns what it prints.
func run(t *testing.T, w *world, down, alone bool) (string, error) {
	t.Helper()
	gateway := serve(t, "127.0.0.1:0", w.gateway)
	prefill := serve(t, "127.0.0.2:0", metrics(&w.prefills))
	_, port, _ := net.SplitHostPort(prefill)
	serve(t, "127.0.0.3:"+port, metrics(&w.decodes))
	serve(t, "127.0.0.4:"+port, metrics(&w.encodes))

	document := disaggregated
	if w.encode {
		document = strings.Replace(document, "  prefill: {}\n", "  prefill: {}\n  encode: {}\n", 1)
	}
	s := stacktest.ParseDocument(t, document)
	job := Job(s, nil)[0].(*batchv1.Job)
	container := job.Spec.Template.Spec.Containers[0]
	dir := t.TempDir()
	resolver := "#!/bin/sh\nprintf 'Server:\\t10.0.0.10\\nAddress:\\t10.0.0.10:53\\n\\n'\n" +
		"case $1 in *-prefill.*) printf 'Name:\\t%s\\nAddress: 127.0.0.2\\n' $1;; *-decode.*) printf 'Name:\\t%s\\nAddress: 127.0.0.3\\n' $1;; *-encode.*) printf 'Name:\\t%s\\nAddress: 127.0.0.4\\n' $1;; *) exit 1;; esac\n"
	for name, text := range map[string]string{scriptName: scriptOf(s), "nslookup": resolver} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil { //nolint:gosec // it is run
			t.Fatal(err)
		}
	}
	host, gatewayPort, _ := net.SplitHostPort(gateway)
	if down {
		gatewayPort = "1"
	}
	args := []string{filepath.Join(dir, scriptName)}
	for _, a := range container.Args {
		args = append(args, strings.ReplaceAll(strings.ReplaceAll(a, "demo-gateway-istio.llm-d.svc.cluster.local:80", host+":"+gatewayPort), ":80:", ":"+gatewayPort+":"))
	}
	command := exec.Command("/bin/sh", args...)
	command.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "TMPDIR=" + dir}
	for _, e := range container.Env {
		value := e.Value
		switch e.Name {
		case "URL":
			value = strings.Replace(value, ":80/", ":"+gatewayPort+"/", 1)
		case "PORTS":
			value = port
		case "DEADLINE":
			value = "0"
			if w.refuses > 0 {
				value = "20"
			}
		case "INTERVAL":
			value = "0"
		case "PICKER":
			value = "http://" + serve(t, "127.0.0.1:0", w.picker) + "/metrics"
			if alone {
				value = ""
			}
		}
		command.Env = append(command.Env, e.Name+"="+value)
	}
	out, err := command.CombinedOutput()
	return string(out), err
}
