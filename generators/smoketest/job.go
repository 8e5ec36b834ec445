package smoketest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/generators/series"
	"github.com/inferstack/inferstack/internal/lists"
)

// Argo CD runs the Job after everything else is healthy, and deletes it when it has passed; one
// that failed stays to be read (argo-cd docs/user-guide/sync-waves.md).
var hook = map[string]string{
	"argocd.argoproj.io/hook":               "PostSync",
	"argocd.argoproj.io/hook-delete-policy": "BeforeHookCreation,HookSucceeded",
}

// interval is the time between two tries, in seconds.
const interval = 5

// margin is the time that the last try may take beyond the deadline of the script.
const margin = 600

// unnamed is the Job without its name. It tries once: the script asks again by itself.
func unnamed(s *base.Stack) *batchv1.Job {
	meta := s.Meta(base.ComponentSmokeTest, "")
	meta.Annotations = base.Joined(hook)
	return &batchv1.Job{
		TypeMeta:   metav1.TypeMeta{APIVersion: batchv1.SchemeGroupVersion.String(), Kind: "Job"},
		ObjectMeta: meta,
		Spec: batchv1.JobSpec{
			BackoffLimit:          new(int32(0)),
			ActiveDeadlineSeconds: new(int64(s.Spec.Delivery.SmokeTest.TimeoutSeconds) + margin),
			Template:              pod(s),
		},
	}
}

func pod(s *base.Stack) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: s.Labels(base.ComponentSmokeTest)},
		Spec: corev1.PodSpec{
			AutomountServiceAccountToken: new(false),
			RestartPolicy:                corev1.RestartPolicyNever,
			SecurityContext:              s.PodSecurityContext(),
			ImagePullSecrets:             s.PullSecrets(),
			Containers:                   []corev1.Container{container(s)},
			Volumes: []corev1.Volume{{Name: "script", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
				LocalObjectReference: corev1.LocalObjectReference{Name: s.Name(base.ComponentSmokeTest)},
			}}}},
		},
	}
}

// container fails with the last line of the script as its message, which says the hop.
func container(s *base.Stack) corev1.Container {
	return corev1.Container{
		Name:      "smoke-test",
		Image:     cmp.Or(s.Spec.Delivery.SmokeTest.Image, s.Line.Images.Curl),
		Command:   []string{"/bin/sh", scriptDir + "/" + scriptName},
		Args:      curlArgs(s),
		Env:       env(s),
		Resources: base.Amounts("10m", "32Mi", "64Mi"),

		VolumeMounts:             []corev1.VolumeMount{{Name: "script", MountPath: scriptDir, ReadOnly: true}},
		TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		ImagePullPolicy:          s.PullPolicy(),
		SecurityContext:          s.ContainerSecurityContext(),
	}
}

func env(s *base.Stack) []corev1.EnvVar {
	test := s.Spec.Delivery.SmokeTest
	model, _ := json.Marshal(s.Spec.Model.Served()[0]) // a string
	vars := map[string]string{
		"URL": requestURL(s), "MODEL": string(model), "ANSWERS": strings.Join(answers(s), "\n"),
		"WORDS": args.Text(words(s)), "DEADLINE": args.Text(test.TimeoutSeconds), "INTERVAL": args.Text(interval),
		"PICKER": "", "READY": s.Line.EPP.Metrics["readyServers"],
		"PREFILL": "", "DECODE": "", "PORTS": "", "SERVED": "",
	}
	if s.Spec.Scheduler.Enabled && !s.Spec.Scheduler.MetricsAuth {
		vars["PICKER"] = "http://" + s.EPPHost() + ":" + args.Text(base.EPPMetricsPort) + "/metrics"
	}
	if watchesRoles(s) {
		vars["PORTS"], vars["SERVED"] = ports(s), served(s)
		for _, server := range s.Roles() {
			vars[strings.ToUpper(server.Role)] = base.ServiceHost(roleName(server), s.Namespace())
		}
	}
	return lists.Map(slices.Sorted(maps.Keys(vars)), func(name string) corev1.EnvVar {
		return corev1.EnvVar{Name: name, Value: vars[name]}
	})
}

// served counts the requests that a server has ended.
func served(s *base.Stack) string { return series.OfServer(s, "requestDuration") + "_count" }

// words is a prompt that is long enough for a prefill server of its own.
func words(s *base.Stack) int32 {
	const short = 16
	if !s.Disaggregated() {
		return short
	}
	return short + s.Spec.Scheduler.Disaggregation.NonCachedTokens
}

// ports are those of the servers' metrics: the entry's, which the routing sidecar hands on.
func ports(s *base.Stack) string {
	var out []string
	for i := range s.Decode().PortCount() {
		out = append(out, args.Text(s.Spec.Server.Port+i))
	}
	return strings.Join(out, " ")
}

// answers are the models that may answer: the one that is asked for, or what the EPP rewrites
// it to.
func answers(s *base.Stack) []string {
	out := slices.Clone(s.Spec.Model.Served()[:1])
	for _, r := range s.Spec.ModelRewrites {
		if len(r.Models) == 0 || slices.Contains(r.Models, out[0]) {
			for _, t := range r.Targets {
				out = append(out, t.Model)
			}
		}
	}
	slices.Sort(out[1:])
	return slices.Compact(out)
}

// requestURL is where the request goes, with the host name that the route matches by.
func requestURL(s *base.Stack) string {
	const completions = "/v1/chat/completions"
	test := s.Spec.Delivery.SmokeTest
	if test.URL != "" {
		return strings.TrimSuffix(test.URL, "/") + completions
	}
	request, _ := s.TestRequest()
	at := entry(s)
	scheme := "http://"
	if at.tls {
		scheme = "https://"
	}
	return scheme + cmp.Or(request.Host, at.host) + ":" + args.Text(at.port) + request.Path
}

// curlArgs are the headers of the request, and where the host name of the route is found. What
// the certificate of the gateway says is the clients' matter, who know it by other names.
func curlArgs(s *base.Stack) (out []string) {
	test := s.Spec.Delivery.SmokeTest
	headers := map[string]string{}
	if test.URL == "" {
		request, _ := s.TestRequest()
		headers = request.Headers
		at := entry(s)
		if request.Host != "" {
			port := args.Text(at.port)
			out = append(out, "--connect-to", request.Host+":"+port+":"+at.host+":"+port)
		}
		if at.tls {
			out = append(out, "--insecure")
		}
	}
	headers = base.Joined(headers, test.Headers)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		out = append(out, "--header", name+": "+headers[name])
	}
	return out
}

// An address is where the requests of clients enter.
type address struct {
	host string
	port int32
	tls  bool
}

// entry is the Service of the main gateway, or the plain Service of a stack without one.
func entry(s *base.Stack) address {
	if s.Spec.Gateway == nil {
		return address{host: base.ServiceHost(s.ServiceName(), s.Namespace()), port: s.ServicePort(), tls: s.ServesTLS()}
	}
	f := s.Fronts()[0]
	at := address{host: base.ServiceHost(f.Gateway.ProxyServiceName(f.GatewayName()), f.GatewayNamespace()), port: 80}
	if f.Standalone() {
		at.port = f.Gateway.Envoy.ServicePort
	}
	if l := s.TestListener(); l != nil {
		at.port, at.tls = l.Port, l.Protocol == "HTTPS"
	}
	return at
}
