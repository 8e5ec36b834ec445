// Package kubelet runs the containers of emitted Pods as processes of this machine, with what a kubelet gives them: a
// network of their own, their environment and arguments, mounted Secrets, probes and signals. Images are not run: the
// caller says which program stands for one. Hooks, other volumes, users and limits are not there.
//
// A Pod's network is a network namespace of Linux, for which the tests have to run as root and need iproute2.
package kubelet

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// Network joins Pods, with the test's own network as their node.
type Network struct {
	bridge string
	// third is the third number of every address.
	third, pods int
}

// NewNetwork makes a network until the test ends.
func NewNetwork(t testing.TB) *Network {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("the model servers listen on the emitted ports, each in a network of its own, for which this test has to run as root")
	}
	n := &Network{bridge: fmt.Sprintf("infst%d", os.Getpid()), third: os.Getpid() % 256}
	ip(t, nil,
		"link add "+n.bridge+" type bridge",
		fmt.Sprintf("addr add %s/24 dev %s", n.address(1), n.bridge),
		"link set "+n.bridge+" up",
	)
	t.Cleanup(func() { exec.Command("ip", "link", "del", n.bridge).Run() })
	return n
}

func (n *Network) address(last int) string { return Address(n.third<<8 + last) }

// Address returns one of 65,536 addresses that no network routes: the first half of the range for benchmarks (RFC 2544).
func Address(number int) string { return fmt.Sprintf("198.18.%d.%d", number>>8, number&255) }

// Sandbox is a Pod's network, in which its containers run.
type Sandbox struct {
	Name, Namespace, IP string

	pause *Process
}

// Sandbox makes the network of a Pod until the test ends.
func (n *Network) Sandbox(t testing.TB, namespace, name string) *Sandbox {
	t.Helper()
	n.pods++
	s := &Sandbox{Name: name, Namespace: namespace, IP: n.address(1 + n.pods)}
	// Like a container runtime's pause container it does nothing but hold the namespace.
	pause := exec.Command("sleep", "3600")
	pause.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	s.pause = Start(t, pause)
	link := fmt.Sprintf("infsv%d", s.pid())
	ip(t, nil,
		fmt.Sprintf("link add %s type veth peer name eth0 netns %d", link, s.pid()),
		fmt.Sprintf("link set %s master %s up", link, n.bridge),
	)
	ip(t, s, "addr add "+s.IP+"/24 dev eth0", "link set lo up", "link set eth0 up")
	return s
}

func (s *Sandbox) pid() int { return s.pause.cmd.Process.Pid }

// inside returns the command that runs a program in the sandbox's network.
func (s *Sandbox) inside(program string, args ...string) *exec.Cmd {
	return exec.Command("nsenter", append([]string{"--net", fmt.Sprintf("--target=%d", s.pid()), "--", program}, args...)...)
}

// ip runs iproute2's commands in the sandbox, or outside of any.
func ip(t testing.TB, s *Sandbox, commands ...string) {
	t.Helper()
	cmd := exec.Command("ip", "-batch", "-")
	if s != nil {
		cmd = s.inside("ip", "-batch", "-")
	}
	cmd.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ip: %s: %v\n%s", strings.Join(commands, "; "), err, output)
	}
}

// Run starts a container of the Pod with its emitted arguments and environment; program stands for its image.
func (s *Sandbox) Run(t testing.TB, program string, container corev1.Container, extra ...string) *Process {
	t.Helper()
	env := s.Env(container)
	cmd := s.inside(program, append(Args(container, env), extra...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	for _, variable := range container.Env {
		cmd.Env = append(cmd.Env, variable.Name+"="+env[variable.Name])
	}
	return Start(t, cmd)
}
