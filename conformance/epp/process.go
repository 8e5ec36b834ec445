package epp

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inferstack/inferstack/conformance/assets"
)

// Process is a running endpoint picker.
type Process struct {
	// Address is where it serves ext_proc, Metrics where it serves its own metrics.
	Address, Metrics string
	Secure           bool

	log  *logBuffer
	done chan error
}

// logBuffer collects what the picker writes.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// Log returns what the picker wrote so far.
func (p *Process) Log() string {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	return p.log.b.String()
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
		Address: "127.0.0.1:" + ports[0], Metrics: "127.0.0.1:" + ports[2], Secure: true,
		log: &logBuffer{}, done: make(chan error, 1),
	}
	for _, arg := range args {
		if arg == "--secure-serving=false" {
			p.Secure = false
		}
	}
	cmd.Stdout, cmd.Stderr = p.log, p.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-p.done
	})
	p.await(t)
	return p
}

// await waits until the picker takes connections, and fails with its log when it ends before.
func (p *Process) await(t testing.TB) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		select {
		case err := <-p.done:
			p.done <- err
			t.Fatalf("the endpoint picker ended: %v\n%s", err, p.tail())
		default:
		}
		if conn, err := net.Dial("tcp", p.Address); err == nil {
			conn.Close()
			return
		}
	}
	t.Fatalf("the endpoint picker does not serve\n%s", p.tail())
}

func (p *Process) tail() string {
	lines := strings.Split(strings.TrimSpace(p.Log()), "\n")
	return strings.Join(lines[max(0, len(lines)-25):], "\n")
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
