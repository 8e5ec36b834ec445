// Package monitoring makes the monitors, the alerts and the dashboard of a stack.
package monitoring

import (
	"cmp"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/envoyproxy"
	"github.com/inferstack/inferstack/generators/pool"
	"github.com/inferstack/inferstack/generators/series"
)

const componentMonitoring = "monitoring"

const metricsPath = "/metrics"

// Objects makes what the Prometheus operator and Grafana read.
func Objects(s *base.Stack) (objects []base.Object) {
	spec := s.Spec.Monitoring
	if spec == nil {
		return nil
	}
	if spec.PodMonitor {
		objects = append(objects, podMonitor(s))
		objects = append(objects, proxyMonitors(s)...)
	}
	if spec.ServiceMonitor && s.Spec.Scheduler.Enabled {
		objects = append(objects, serviceMonitor(s))
	}
	if spec.Alerts {
		objects = append(objects, prometheusRule(s))
	}
	if spec.Dashboard {
		objects = append(objects, dashboardConfigMap(s))
	}
	return objects
}

// podMonitor scrapes the model servers themselves: the routing sidecar in front of a
// decode server has a port of another name. Every data-parallel rank has metrics of its
// own.
func podMonitor(s *base.Stack) *monitoringv1.PodMonitor {
	return &monitoringv1.PodMonitor{
		TypeMeta:   metav1.TypeMeta{APIVersion: monitoringv1.SchemeGroupVersion.String(), Kind: monitoringv1.PodMonitorsKind},
		ObjectMeta: monitorMeta(s, s.Namespace(), s.Name("servers")),
		Spec: monitoringv1.PodMonitorSpec{
			PodTargetLabels:     []string{base.LabelModel, base.LabelRole},
			PodMetricsEndpoints: serverEndpoints(s),
			Selector:            metav1.LabelSelector{MatchLabels: servingSelector(s)},
		},
	}
}

// serverEndpoints names the ports of our own servers, and numbers those of servers that
// something else makes or made, whose names are unknown.
func serverEndpoints(s *base.Stack) (endpoints []monitoringv1.PodMetricsEndpoint) {
	for i, port := range pool.Ports(s) {
		endpoint := monitoringv1.PodMetricsEndpoint{
			Path:           serverMetricsPath(s),
			Interval:       monitoringv1.Duration(s.Spec.Monitoring.Interval),
			RelabelConfigs: stackLabel(s),
		}
		if s.ServesTLS() {
			endpoint.Scheme = new(monitoringv1.SchemeHTTPS)
			endpoint.TLSConfig = &monitoringv1.SafeTLSConfig{InsecureSkipVerify: new(true)}
		}
		if s.Spec.Server.Create && !s.Adopted() {
			endpoint.Port = new(base.ServerPortNameOf(i))
		} else {
			endpoint.PortNumber = new(port)
		}
		endpoints = append(endpoints, endpoint)
	}
	return endpoints
}

// serverMetricsPath is where the engine shows its metrics.
func serverMetricsPath(s *base.Stack) string {
	engine, _ := s.EngineOf(s.Line)
	return cmp.Or(engine.MetricsPath, metricsPath)
}

// proxyMonitors scrape the standalone proxies.
func proxyMonitors(s *base.Stack) (objects []base.Object) {
	for _, f := range s.Fronts() {
		if !f.Standalone() {
			continue
		}
		objects = append(objects, &monitoringv1.PodMonitor{
			TypeMeta:   metav1.TypeMeta{APIVersion: monitoringv1.SchemeGroupVersion.String(), Kind: monitoringv1.PodMonitorsKind},
			ObjectMeta: monitorMeta(s, f.GatewayNamespace(), f.GatewayName()),
			Spec: monitoringv1.PodMonitorSpec{
				PodMetricsEndpoints: []monitoringv1.PodMetricsEndpoint{{
					Port:           new("admin"),
					Path:           envoyproxy.MetricsPath,
					Interval:       monitoringv1.Duration(s.Spec.Monitoring.Interval),
					RelabelConfigs: stackLabel(s),
				}},
				Selector: metav1.LabelSelector{MatchLabels: f.Selector(envoyproxy.Component(f))},
			},
		})
	}
	return objects
}

// serviceMonitor scrapes the EPP, with the token that its metrics may ask for.
func serviceMonitor(s *base.Stack) *monitoringv1.ServiceMonitor {
	return &monitoringv1.ServiceMonitor{
		TypeMeta:   metav1.TypeMeta{APIVersion: monitoringv1.SchemeGroupVersion.String(), Kind: monitoringv1.ServiceMonitorsKind},
		ObjectMeta: monitorMeta(s, s.EPPNamespace(), s.EPPName()),
		Spec: monitoringv1.ServiceMonitorSpec{
			Endpoints: []monitoringv1.Endpoint{{
				Port:                           base.MetricsPortName,
				Path:                           metricsPath,
				Interval:                       monitoringv1.Duration(s.Spec.Monitoring.Interval),
				RelabelConfigs:                 stackLabel(s),
				HTTPConfigWithProxyAndTLSFiles: metricsToken(s),
			}},
			Selector: metav1.LabelSelector{MatchLabels: s.Identity(base.ComponentEPP)},
		},
	}
}

// metricsToken presents the token of the EPP's ServiceAccount where its metrics ask for
// one. They are served without TLS in any case.
func metricsToken(s *base.Stack) (config monitoringv1.HTTPConfigWithProxyAndTLSFiles) {
	if s.Spec.Scheduler.MetricsAuth {
		config.Authorization = &monitoringv1.SafeAuthorization{Credentials: &corev1.SecretKeySelector{
			LocalObjectReference: corev1.LocalObjectReference{Name: s.MetricsTokenName()},
			Key:                  corev1.ServiceAccountTokenKey,
		}}
	}
	return config
}

// stackLabel puts the name of the stack on every series, whatever labels the pods have.
func stackLabel(s *base.Stack) []monitoringv1.RelabelConfig {
	return []monitoringv1.RelabelConfig{{TargetLabel: series.StackLabel, Replacement: new(s.Metadata.Name)}}
}

// monitorMeta carries the labels by which a Prometheus selects its monitors and rules.
func monitorMeta(s *base.Stack, namespace, name string) metav1.ObjectMeta {
	meta := s.MetaIn(namespace, componentMonitoring, name)
	meta.Labels = base.Joined(s.Spec.Monitoring.Labels, meta.Labels)
	return meta
}

// servingSelector selects the pods that answer requests: our own whatever the pool
// selects by, those of others as the pool does.
func servingSelector(s *base.Stack) map[string]string {
	if !s.Spec.Server.Create || s.Adopted() {
		return s.PoolSelector()
	}
	return map[string]string{base.LabelInstance: s.Metadata.Name, base.LabelServing: "true"}
}
