package servers

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Completions is the path of the requests.
const Completions = "/v1/completions"

// Reply is what came back from a model server.
type Reply struct {
	Status int
	Body   string
	// Pod is the Pod whose server wrote the reply.
	Pod string
}

// client keeps no connections: a later Pod may get the address of one that is gone. It believes any certificate, since
// those of the servers here sign themselves.
var client = &http.Client{Transport: &http.Transport{
	DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
}}

// Post sends one completion to an endpoint at the server's address, in the server's scheme.
func (s Server) Post(ctx context.Context, endpoint string, headers map[string]string, body map[string]any) (Reply, error) {
	return s.PostTo(ctx, endpoint+Completions, headers, body)
}

// PostTo is Post to another path, after the endpoint.
func (s Server) PostTo(ctx context.Context, url string, headers map[string]string, body map[string]any) (Reply, error) {
	payload, err := json.Marshal(body)
	if err != nil {
		return Reply{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.scheme()+"://"+url, bytes.NewReader(payload))
	if err != nil {
		return Reply{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return Reply{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return Reply{Status: response.StatusCode, Body: string(text), Pod: response.Header.Get("x-inference-pod")}, err
}

// Completion returns a request for the model that the server serves.
func (s Server) Completion(prompt string) map[string]any {
	return map[string]any{"model": s.Argument("served-model-name"), "prompt": prompt, "max_tokens": 8}
}

// scheme is https for a server that got a certificate; its sidecar gets it too.
func (s Server) scheme() string {
	if s.Argument("ssl-certfile") == "" {
		return "http"
	}
	return "https"
}

// ModelServer is the emitted container of the model server.
func (s Server) ModelServer() corev1.Container { return s.Specs["modelserver"] }

// Argument returns the value of a flag of the model server, the first of several.
func (s Server) Argument(name string) string {
	args := s.ModelServer().Args
	for i, arg := range args {
		if value, found := strings.CutPrefix(arg, "--"+name+"="); found {
			return value
		}
		if arg == "--"+name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// Metric returns a metric of the model server, summed over its labels.
func (s Server) Metric(t testing.TB, name string) float64 {
	t.Helper()
	return s.metrics(t)[name]
}

// metrics returns those of the model server, each summed over its labels.
func (s Server) metrics(t testing.TB) map[string]float64 {
	t.Helper()
	response, err := client.Get(fmt.Sprintf("%s://%s:%s/metrics", s.scheme(), s.IP, s.Argument("port")))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		series, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		if end := strings.LastIndex(line, "} "); end >= 0 {
			number = strings.TrimSpace(line[end+1:])
			series, _, _ = strings.Cut(line, "{")
		}
		value, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		sums[series] += value
	}
	return sums
}

// Reaches waits until a metric of the model server has that value.
func (s Server) Reaches(t testing.TB, name string, want float64) {
	t.Helper()
	got := 0.0
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if got = s.Metric(t, name); got == want {
			return
		}
	}
	t.Errorf("%s of Pod %s is %v, want %v", name, s.Name, got, want)
}
