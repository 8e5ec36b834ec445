package epp

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// probed asks the picker's health service what each of the emitted probes asks it, and requires that it serves.
func (p *Process) probed(t testing.TB, container corev1.Container) {
	t.Helper()
	conn, err := grpc.NewClient(p.Health, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for kind, probe := range map[string]*corev1.Probe{"liveness": container.LivenessProbe, "readiness": container.ReadinessProbe} {
		if probe == nil || probe.GRPC == nil || probe.GRPC.Service == nil {
			t.Errorf("no %s probe by gRPC is emitted", kind)
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		answer, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: *probe.GRPC.Service})
		cancel()
		if err != nil || answer.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
			t.Errorf("%s probe: %v %v", kind, answer.GetStatus(), err)
		}
	}
}
