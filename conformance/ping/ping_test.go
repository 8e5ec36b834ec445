// Package ping shows what becomes of a quiet ext_proc stream when the proxy sends PING frames: the endpoint pickers
// start grpc-go's server without a keepalive policy, and so it counts.
package ping

import (
	"bytes"
	"net"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
)

// minimum is the time that grpc-go wants between the PINGs of a client where the server has no policy of its own
// (grpc v1.85.0 internal/transport/defaults.go, defaultKeepalivePolicyMinTime).
const minimum = 5 * time.Minute

// TestQuietStream sends what an interval of 30 seconds sends within five minutes, and what the emitted proxy does.
func TestQuietStream(t *testing.T) {
	if !closes(t, pings(30*time.Second)) {
		t.Error("grpc-go bears a PING every 30 seconds; the emitted proxy need not do without")
	}
	if closes(t, pings(30*time.Second), grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Nanosecond})) {
		t.Error("a server that allows any number of PINGs closes the connection all the same: the test is wrong")
	}
	for name, interval := range emitted(t) {
		if n := pings(interval); closes(t, n) {
			t.Errorf("cluster %s: a PING each %s, %d in five minutes, closes the connection to the endpoint picker", name, interval, n)
		}
	}
}

// pings is how many PINGs come within the minimum.
func pings(interval time.Duration) int {
	if interval == 0 {
		return 0
	}
	return int(minimum / interval)
}

// emitted lists the clusters of the standalone proxy that speak HTTP/2, with their interval between PINGs.
func emitted(t *testing.T) map[string]time.Duration {
	t.Helper()
	stack := filepath.Join("..", "..", "examples", "standalone-envoy", "stack.yaml")
	intervals := map[string]time.Duration{}
	for _, o := range manifests.Of(manifests.Parse(t, product.Run(t, "render", stack)), "ConfigMap") {
		text, found, _ := unstructured.NestedString(o.Object, "data", "envoy.yaml")
		if !found {
			continue
		}
		var config struct {
			StaticResources struct {
				Clusters []struct {
					Name     string
					Protocol map[string]struct {
						Explicit struct {
							HTTP2 *struct {
								Keepalive struct{ Interval string } `json:"connection_keepalive"`
							} `json:"http2_protocol_options"`
						} `json:"explicit_http_config"`
					} `json:"typed_extension_protocol_options"`
				}
			} `json:"static_resources"`
		}
		if err := yaml.Unmarshal([]byte(text), &config); err != nil {
			t.Fatal(err)
		}
		for _, c := range config.StaticResources.Clusters {
			for _, p := range c.Protocol {
				if p.Explicit.HTTP2 != nil {
					interval, _ := time.ParseDuration(p.Explicit.HTTP2.Keepalive.Interval)
					intervals[c.Name] = interval
				}
			}
		}
	}
	if len(intervals) == 0 {
		t.Fatal("the proxy speaks HTTP/2 to nobody")
	}
	return intervals
}

// closes tells whether the server ends the connection when n PINGs come on it while one stream is open and quiet. The
// server compares the time between two PINGs with its minimum, so that they need not be minutes apart.
func closes(t *testing.T, n int, options ...grpc.ServerOption) bool {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(options...)
	healthv1.RegisterHealthServer(server, health.NewServer())
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()

	framer := open(t, listener.Addr().String())
	for range n {
		if err := framer.WritePing(false, [8]byte{1}); err != nil {
			return true
		}
	}
	// The last PING is one that the server has to answer in any case: what it says of the others comes before.
	_ = framer.WritePing(false, [8]byte{2})
	for {
		frame, err := framer.ReadFrame()
		switch f := frame.(type) {
		case *http2.GoAwayFrame:
			return f.ErrCode == http2.ErrCodeEnhanceYourCalm && string(f.DebugData()) == "too_many_pings"
		case *http2.PingFrame:
			if f.IsAck() && f.Data == [8]byte{2} {
				return false
			}
		}
		if err != nil {
			return true
		}
	}
}

// open opens a stream to the health service's Watch, which says one thing and then nothing more.
func open(t *testing.T, address string) *http2.Framer {
	t.Helper()
	conn, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
		t.Fatal(err)
	}
	framer := http2.NewFramer(conn, conn)
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for _, h := range [][2]string{
		{":method", "POST"}, {":scheme", "http"}, {":path", "/grpc.health.v1.Health/Watch"}, {":authority", address},
		{"content-type", "application/grpc"}, {"te", "trailers"},
	} {
		if err := encoder.WriteField(hpack.HeaderField{Name: h[0], Value: h[1]}); err != nil {
			t.Fatal(err)
		}
	}
	for _, write := range []func() error{
		func() error { return framer.WriteSettings() },
		func() error { return framer.WriteSettingsAck() },
		func() error {
			return framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block.Bytes(), EndHeaders: true})
		},
		func() error { return framer.WriteData(1, true, []byte{0, 0, 0, 0, 0}) }, // an empty message
	} {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	wait(t, framer)
	return framer
}

// wait reads until the stream's first message: the server counts from its last data frame on.
func wait(t *testing.T, framer *http2.Framer) {
	t.Helper()
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := frame.(*http2.DataFrame); ok {
			return
		}
	}
}
