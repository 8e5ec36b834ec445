package epp

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inferstack/inferstack/conformance/assets"
	"github.com/inferstack/inferstack/conformance/kubelet"
)

// Process is a running endpoint picker.
type Process struct {
	*kubelet.Process

	// Address is where it serves ext_proc, Health where its probes ask, Metrics where it serves its own metrics.
	Address, Health, Metrics string
	Secure                   bool
}

// Start runs the scenario's picker with the emitted flags and files. Only the ports are others, for the ones emitted
// may be taken on this machine.
func Start(t testing.TB, s *Scenario, kubeconfig string, extra ...string) *Process {
	t.Helper()
	component, err := s.Component()
	if err != nil {
		t.Fatal(err)
	}
	ports := freePorts(t, 3)
	args := append(s.localArgs(t, component), "--grpc-port="+ports[0], "--grpc-health-port="+ports[1], "--metrics-port="+ports[2])
	cmd := exec.Command(assets.Binary(t, component), append(args, extra...)...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "NAMESPACE="+s.Picker.Namespace, "POD_NAME="+s.Picker.Name+"-0")
	p := &Process{
		Process: kubelet.Start(t, cmd),
		Address: "127.0.0.1:" + ports[0], Health: "127.0.0.1:" + ports[1], Metrics: "127.0.0.1:" + ports[2],
		Secure: !slices.Contains(args, "--secure-serving=false"),
	}
	p.await(t)
	return p
}

// await waits until the picker takes connections, and fails with its log when it ends before.
func (p *Process) await(t testing.TB) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if ended, err := p.Ended(); ended {
			t.Fatalf("the endpoint picker ended: %v\n%s", err, p.Tail())
		}
		if conn, err := net.Dial("tcp", p.Address); err == nil {
			conn.Close()
			return
		}
	}
	t.Fatalf("the endpoint picker does not serve\n%s", p.Tail())
}

// localArgs writes the mounted files to a folder and points the arguments there.
func (s *Scenario) localArgs(t testing.TB, component string) []string {
	t.Helper()
	dir := t.TempDir()
	args := s.Args()
	for path, content := range s.Files {
		local := filepath.Join(dir, filepath.Base(path))
		if component == "epp-gie-1.5" {
			content = inferenceExtensionGroup(content)
		}
		if err := os.WriteFile(local, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], path, local)
		}
	}
	return args
}

// inferenceExtensionGroup puts a configuration of llm-d-router under the API group that it had before the move: the
// router's own program is not to be had as a Go module, and the Inference Extension's v1.5.0, on which it builds, reads
// the same fields under this group.
func inferenceExtensionGroup(config string) string {
	return strings.ReplaceAll(config, "apiVersion: llm-d.ai/v1alpha1", "apiVersion: inference.networking.x-k8s.io/v1alpha1")
}

func freePorts(t testing.TB, n int) []string {
	t.Helper()
	var ports []string
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		ports = append(ports, fmt.Sprint(listener.Addr().(*net.TCPAddr).Port))
	}
	return ports
}
