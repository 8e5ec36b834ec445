package generators

import (
	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const componentMonitoring = "monitoring"

const metricsPath = "/metrics"

// monitoring makes what the Prometheus operator and Grafana read.
func monitoring(s *Stack) []Object {
	spec := s.Spec.Monitoring
	if spec == nil {
		return nil
	}
	var objects []Object
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
func podMonitor(s *Stack) *monitoringv1.PodMonitor {
	return &monitoringv1.PodMonitor{
		TypeMeta:   metav1.TypeMeta{APIVersion: monitoringv1.SchemeGroupVersion.String(), Kind: monitoringv1.PodMonitorsKind},
		ObjectMeta: s.monitorMeta(s.namespace(), s.name("servers")),
		Spec: monitoringv1.PodMonitorSpec{
			PodTargetLabels:     []string{labelModel, labelRole},
			PodMetricsEndpoints: serverEndpoints(s),
			Selector:            metav1.LabelSelector{MatchLabels: s.servingSelector()},
		},
	}
}

// serverEndpoints names the ports of our own servers, and numbers those of servers that
// something else makes, whose names are unknown.
func serverEndpoints(s *Stack) []monitoringv1.PodMetricsEndpoint {
	var endpoints []monitoringv1.PodMetricsEndpoint
	for i, port := range s.poolPorts() {
		endpoint := monitoringv1.PodMetricsEndpoint{
			Path:           metricsPath,
			Interval:       monitoringv1.Duration(s.Spec.Monitoring.Interval),
			RelabelConfigs: s.stackLabel(),
		}
		if s.Spec.Server.Create {
			endpoint.Port = new(serverPortNameOf(i))
		} else {
			endpoint.PortNumber = new(port)
		}
		endpoints = append(endpoints, endpoint)
	}
	return endpoints
}

// proxyMonitors scrape the standalone proxies.
func proxyMonitors(s *Stack) []Object {
	var objects []Object
	for _, f := range s.fronts() {
		if !f.standalone() {
			continue
		}
		objects = append(objects, &monitoringv1.PodMonitor{
			TypeMeta:   metav1.TypeMeta{APIVersion: monitoringv1.SchemeGroupVersion.String(), Kind: monitoringv1.PodMonitorsKind},
			ObjectMeta: s.monitorMeta(f.gatewayNamespace(), f.gatewayName()),
			Spec: monitoringv1.PodMonitorSpec{
				PodMetricsEndpoints: []monitoringv1.PodMetricsEndpoint{{
					Port:           new("admin"),
					Path:           envoyMetricsPath,
					Interval:       monitoringv1.Duration(s.Spec.Monitoring.Interval),
					RelabelConfigs: s.stackLabel(),
				}},
				Selector: metav1.LabelSelector{MatchLabels: f.selector(f.envoyComponent())},
			},
		})
	}
	return objects
}

// serviceMonitor scrapes the EPP, with the token that its metrics may ask for.
func serviceMonitor(s *Stack) *monitoringv1.ServiceMonitor {
	return &monitoringv1.ServiceMonitor{
		TypeMeta:   metav1.TypeMeta{APIVersion: monitoringv1.SchemeGroupVersion.String(), Kind: monitoringv1.ServiceMonitorsKind},
		ObjectMeta: s.monitorMeta(s.eppNamespace(), s.eppName()),
		Spec: monitoringv1.ServiceMonitorSpec{
			Endpoints: []monitoringv1.Endpoint{{
				Port:                           metricsPortName,
				Path:                           metricsPath,
				Interval:                       monitoringv1.Duration(s.Spec.Monitoring.Interval),
				RelabelConfigs:                 s.stackLabel(),
				HTTPConfigWithProxyAndTLSFiles: metricsToken(s),
			}},
			Selector: metav1.LabelSelector{MatchLabels: s.selector(componentEPP)},
		},
	}
}

// metricsToken presents the token of the EPP's ServiceAccount where its metrics ask for
// one. They are served without TLS in any case.
func metricsToken(s *Stack) monitoringv1.HTTPConfigWithProxyAndTLSFiles {
	var config monitoringv1.HTTPConfigWithProxyAndTLSFiles
	if s.Spec.Scheduler.MetricsAuth {
		config.Authorization = &monitoringv1.SafeAuthorization{Credentials: &corev1.SecretKeySelector{
			LocalObjectReference: corev1.LocalObjectReference{Name: s.metricsTokenName()},
			Key:                  corev1.ServiceAccountTokenKey,
		}}
	}
	return config
}

// stackLabel puts the name of the stack on every series, whatever labels the pods have.
func (s *Stack) stackLabel() []monitoringv1.RelabelConfig {
	return []monitoringv1.RelabelConfig{{TargetLabel: seriesStack, Replacement: new(s.Metadata.Name)}}
}

// monitorMeta carries the labels by which a Prometheus selects its monitors and rules.
func (s *Stack) monitorMeta(namespace, name string) metav1.ObjectMeta {
	meta := s.metaIn(namespace, componentMonitoring, name)
	meta.Labels = joined(s.Spec.Monitoring.Labels, meta.Labels)
	return meta
}

// servingSelector selects the pods that answer requests: our own whatever the pool
// selects by, those of others as the pool does.
func (s *Stack) servingSelector() map[string]string {
	if !s.Spec.Server.Create {
		return s.poolSelector()
	}
	return map[string]string{labelInstance: s.Metadata.Name, labelServing: "true"}
}
