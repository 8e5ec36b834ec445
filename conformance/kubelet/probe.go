package kubelet

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Await runs the container's probes as they are emitted: the startup probe until it succeeds, for as long as the
// kubelet would try, then the two others, each as often in a row as it may fail.
func (s *Sandbox) Await(t testing.TB, container corev1.Container, p *Process) {
	t.Helper()
	if err := s.started(container, p); err != nil {
		t.Fatalf("%s of Pod %s: startup probe: %v\n%s", container.Name, s.Name, err, p.Tail())
	}
	for kind, probe := range map[string]*corev1.Probe{"readiness": container.ReadinessProbe, "liveness": container.LivenessProbe} {
		if err := s.repeated(container, probe); err != nil {
			t.Errorf("%s of Pod %s: %s probe: %v\n%s", container.Name, s.Name, kind, err, p.Tail())
		}
	}
}

func (s *Sandbox) repeated(container corev1.Container, probe *corev1.Probe) (err error) {
	tries := 1
	if probe != nil {
		tries = int(cmp.Or(probe.FailureThreshold, 3))
	}
	for range tries {
		if err = s.Probe(container, probe); err == nil {
			return nil
		}
	}
	return err
}

func (s *Sandbox) started(container corev1.Container, p *Process) error {
	probe := container.StartupProbe
	if probe == nil {
		return fmt.Errorf("none is emitted")
	}
	period := time.Duration(cmp.Or(probe.PeriodSeconds, 10)) * time.Second
	budget := time.Duration(probe.InitialDelaySeconds)*time.Second + period*time.Duration(cmp.Or(probe.FailureThreshold, 3))
	return p.within(budget, func() error { return s.Probe(container, probe) })
}

// Listens waits until a container without probes takes connections on its ports: its Pod may be ready before, and
// gateways try a refused connection again.
func (s *Sandbox) Listens(t testing.TB, container corev1.Container, p *Process) {
	t.Helper()
	for _, port := range container.Ports {
		err := p.within(time.Minute, func() error {
			connection, err := net.DialTimeout("tcp", net.JoinHostPort(s.IP, strconv.Itoa(int(port.ContainerPort))), time.Second)
			if err != nil {
				return err
			}
			return connection.Close()
		})
		if err != nil {
			t.Fatalf("%s of Pod %s: port %s: %v\n%s", container.Name, s.Name, port.Name, err, p.Tail())
		}
	}
}

// within asks until there is no error, the program ends or the time is over.
func (p *Process) within(budget time.Duration, ask func() error) error {
	for deadline := time.Now().Add(budget); ; time.Sleep(50 * time.Millisecond) {
		err := ask()
		if err == nil {
			return nil
		}
		if ended, status := p.Ended(); ended {
			return fmt.Errorf("the program has ended: %v", status)
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

// client believes any certificate, as the kubelet does when it probes.
var client = &http.Client{Transport: &http.Transport{
	DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
}}

// Probe asks once what the probe asks, from outside the Pod as the kubelet does.
func (s *Sandbox) Probe(container corev1.Container, probe *corev1.Probe) error {
	if probe == nil || probe.HTTPGet == nil {
		return fmt.Errorf("no probe by HTTP is emitted")
	}
	timeout := time.Duration(cmp.Or(probe.TimeoutSeconds, 1)) * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	scheme := strings.ToLower(string(cmp.Or(probe.HTTPGet.Scheme, corev1.URISchemeHTTP)))
	url := fmt.Sprintf("%s://%s:%d%s", scheme, s.IP, port(container, probe), probe.HTTPGet.Path)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode >= 400 {
		return fmt.Errorf("%s answers %d", url, response.StatusCode)
	}
	return nil
}

func port(container corev1.Container, probe *corev1.Probe) int {
	for _, p := range container.Ports {
		if p.Name == probe.HTTPGet.Port.StrVal {
			return int(p.ContainerPort)
		}
	}
	return probe.HTTPGet.Port.IntValue()
}
