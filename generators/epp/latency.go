package epp

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/inferstack/inferstack/generators/args"
	"github.com/inferstack/inferstack/generators/base"
	"github.com/inferstack/inferstack/schema"
)

// The servers beside the EPP that learn and predict latencies are those of llm-d-router
// config/charts/routerlib/templates/_latency-predictor.tpl, with the values there.

// latencyEnv tells the EPP where they are.
func latencyEnv(s *base.Stack) []corev1.EnvVar {
	p := s.Spec.Scheduler.LatencyPredictor
	if p == nil {
		return nil
	}
	var urls []string
	for i := range p.PredictionServers {
		urls = append(urls, local(schema.PredictionPort+i))
	}
	vars := []corev1.EnvVar{{Name: "PREDICTION_SERVER_URL", Value: strings.Join(urls, ",")}, {Name: "TRAINING_SERVER_URL", Value: local(schema.TrainingPort)}}
	return append(vars, base.FlagEnv(s.Line.EPP.LatencyPredictor.EPP)...)
}

func local(port int32) string { return "http://localhost:" + args.Text(port) }

func latencyServers(s *base.Stack) []corev1.Container {
	p := s.Spec.Scheduler.LatencyPredictor
	if p == nil {
		return nil
	}
	out := []corev1.Container{trainingServer(s, &p.Training)}
	for i := range int(p.PredictionServers) {
		out = append(out, predictionServer(s, &p.Prediction, i))
	}
	return out
}

func trainingServer(s *base.Stack, spec *schema.LatencyServer) corev1.Container {
	c := latencyServer(s, schema.TrainingServer, schema.TrainingPort, "training", "/models")
	c.Image = cmp.Or(spec.Image, s.Line.Images.LatencyTraining)
	c.Env = append(c.Env, base.FlagEnv(s.Line.EPP.LatencyPredictor.Training)...)
	c.Resources = base.Resources(spec.Resources, latencyResources(s, "2", "4"))
	c.LivenessProbe = asked(schema.TrainingPort, corev1.Probe{InitialDelaySeconds: 30, PeriodSeconds: 20}, "/healthz")
	c.ReadinessProbe = asked(schema.TrainingPort, corev1.Probe{InitialDelaySeconds: 45, PeriodSeconds: 10}, "/readyz")
	return c
}

// predictionServer is ready when it has fetched a model from the training server.
func predictionServer(s *base.Stack, spec *schema.LatencyServer, i int) corev1.Container {
	port := int32(schema.PredictionPort + i)
	c := latencyServer(s, schema.PredictionServer(i), port, "prediction-"+args.Text(i+1), "/server_models")
	c.Image = cmp.Or(spec.Image, s.Line.Images.LatencyPrediction)
	c.Command = []string{"uvicorn"}
	c.Args = []string{s.Line.EPP.LatencyPredictor.Module, "--host", "0.0.0.0", "--port", args.Text(port)}
	c.Resources = base.Resources(spec.Resources, latencyResources(s, "8", "28"))
	c.Ports[0].Name = "predict-" + args.Text(i+1)
	c.Env = append(c.Env, base.FlagEnv(s.Line.EPP.LatencyPredictor.Prediction)...)
	c.Env = append(c.Env,
		corev1.EnvVar{Name: "PREDICT_PORT", Value: args.Text(port)},
		corev1.EnvVar{Name: "TRAINING_SERVER_URL", Value: local(schema.TrainingPort)},
		corev1.EnvVar{Name: "UVICORN_WORKERS", Value: args.Text(workers(c.Resources))})
	c.LivenessProbe = asked(port, corev1.Probe{InitialDelaySeconds: 15, PeriodSeconds: 15, TimeoutSeconds: 5, FailureThreshold: 5}, "/healthz")
	c.ReadinessProbe = asked(port, corev1.Probe{InitialDelaySeconds: 10, PeriodSeconds: 10, TimeoutSeconds: 5, FailureThreshold: 30}, "/readyz")
	return c
}

func latencyServer(s *base.Stack, name string, port int32, kind, mount string) corev1.Container {
	return corev1.Container{
		Name:            name,
		Ports:           []corev1.ContainerPort{{Name: kind, ContainerPort: port, Protocol: corev1.ProtocolTCP}},
		Env:             []corev1.EnvVar{base.FieldEnv("POD_NAME", "metadata.name"), {Name: "SERVER_TYPE", Value: kind}},
		VolumeMounts:    []corev1.VolumeMount{{Name: name + schema.StorageSuffix, MountPath: mount}},
		ImagePullPolicy: s.PullPolicy(),
		SecurityContext: s.ContainerSecurityContext(),
	}
}

func asked(port int32, probe corev1.Probe, path string) *corev1.Probe {
	probe.HTTPGet = &corev1.HTTPGetAction{Path: path, Port: intstr.FromInt32(port)}
	return &probe
}

// latencyResources are the default; next to a simulator there is little to learn.
func latencyResources(s *base.Stack, request, limit string) corev1.ResourceRequirements {
	if s.Simulated() {
		return base.Amounts("100m", "512Mi", "")
	}
	r := base.Amounts(request, "4Gi", "8Gi")
	r.Limits[corev1.ResourceCPU] = resource.MustParse(limit)
	return r
}

// workers is a process for each processor that the server may use.
func workers(r corev1.ResourceRequirements) int64 {
	cpu := r.Limits[corev1.ResourceCPU]
	if cpu.IsZero() {
		cpu = r.Requests[corev1.ResourceCPU]
	}
	return max(1, cpu.Value())
}

func latencyVolumes(s *base.Stack) []corev1.Volume {
	p := s.Spec.Scheduler.LatencyPredictor
	if p == nil {
		return nil
	}
	out := []corev1.Volume{latencyVolume(schema.TrainingServer, &p.Training, "20Gi")}
	for i := range int(p.PredictionServers) {
		out = append(out, latencyVolume(schema.PredictionServer(i), &p.Prediction, "10Gi"))
	}
	return out
}

func latencyVolume(server string, spec *schema.LatencyServer, usual string) corev1.Volume {
	size := resource.MustParse(usual)
	if spec.VolumeSize != nil {
		size = spec.VolumeSize.DeepCopy()
	}
	return corev1.Volume{Name: server + schema.StorageSuffix, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &size}}}
}
