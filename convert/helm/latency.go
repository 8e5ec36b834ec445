package helm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/internal/lists"
	catalogue "github.com/inferstack/inferstack/release"
)

// LatencyPredictor are the containers beside the EPP that learn and predict latencies.
type LatencyPredictor struct {
	Enabled bool              `json:"enabled,omitempty"`
	Train   PredictorServer   `json:"trainingServer,omitempty"`
	Predict PredictorServers  `json:"predictionServers,omitempty"`
	EPPEnv  map[string]string `json:"eppEnv,omitempty"`
}

// PredictorServer is one of them.
type PredictorServer struct {
	Image          Image                       `json:"image,omitempty"`
	Port           int32                       `json:"port,omitempty"`
	Resources      corev1.ResourceRequirements `json:"resources,omitempty"`
	LivenessProbe  *corev1.Probe               `json:"livenessProbe,omitempty"`
	ReadinessProbe *corev1.Probe               `json:"readinessProbe,omitempty"`
	VolumeSize     resource.Quantity           `json:"volumeSize,omitempty"`
	Config         map[string]string           `json:"config,omitempty"`
}

// PredictorServers are several, on ports from the first one on.
type PredictorServers struct {
	PredictorServer `json:",inline"`

	Count     int32 `json:"count,omitempty"`
	StartPort int32 `json:"startPort,omitempty"`
}

// predictorDefaults are the charts' values (gateway-api-inference-extension
// config/charts/epplib/values.yaml, v1.5.0; llm-d-router config/charts/routerlib/values.yaml,
// v0.10, but for the images). JSON, since free-form values are laid over it.
const predictorDefaults = `
trainingServer:
  image: {registry: %[1]s, repository: %[2]s-training-server, tag: %[3]s}
  port: 8000
  resources: {requests: {cpu: 2000m, memory: 4Gi}, limits: {cpu: 4000m, memory: 8Gi}}
  livenessProbe: {httpGet: {path: /healthz, port: 8000}, initialDelaySeconds: 30, periodSeconds: 20}
  readinessProbe: {httpGet: {path: /readyz, port: 8000}, initialDelaySeconds: 45, periodSeconds: 10}
  volumeSize: 20Gi
  config:
    LATENCY_RETRAINING_INTERVAL_SEC: "10"
    LATENCY_MIN_SAMPLES_FOR_RETRAIN: "100"
    LATENCY_TTFT_MODEL_PATH: /models/ttft.joblib
    LATENCY_TPOT_MODEL_PATH: /models/tpot.joblib
    LATENCY_TTFT_SCALER_PATH: /models/ttft_scaler.joblib
    LATENCY_TPOT_SCALER_PATH: /models/tpot_scaler.joblib
    LATENCY_MODEL_TYPE: xgboost
    LATENCY_MAX_TRAINING_DATA_SIZE_PER_BUCKET: "500"
    LATENCY_OBJECTIVE_TYPE: mean
predictionServers:
  count: 1
  startPort: 8001
  image: {registry: %[1]s, repository: %[2]s-prediction-server, tag: %[3]s}
  resources: {requests: {cpu: 8000m, memory: 4Gi}, limits: {cpu: 28000m, memory: 8Gi}}
  livenessProbe: {httpGet: {path: /healthz, port: 0}, initialDelaySeconds: 15, periodSeconds: 15}
  readinessProbe: {httpGet: {path: /readyz, port: 0}, initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 30}
  volumeSize: 10Gi
  config:
    LATENCY_MODEL_TYPE: xgboost
    PREDICT_HOST: 0.0.0.0
    LOCAL_TTFT_MODEL_PATH: /server_models/ttft.joblib
    LOCAL_TPOT_MODEL_PATH: /server_models/tpot.joblib
    LOCAL_TTFT_SCALER_PATH: /server_models/ttft_scaler.joblib
    LOCAL_TPOT_SCALER_PATH: /server_models/tpot_scaler.joblib
    UVICORN_WORKERS: "28"
    OMP_NUM_THREADS: "1"
    MODEL_SYNC_INTERVAL_SEC: "30"
    LATENCY_OBJECTIVE_TYPE: mean
eppEnv:
  LATENCY_MAX_SAMPLE_SIZE: "10000"
  LATENCY_MAX_CONCURRENT_DISPATCHES: "36"
  LATENCY_COALESCE_WINDOW_MS: "1"
`

// A predictor is what the two lines of charts have each in their own way: the images, and
// the Python module of the prediction server.
type predictor struct{ registry, repository, tag, module string }

var (
	routerPredictor = predictor{"ghcr.io/llm-d", "llm-d-latency-predictor", catalogue.DefaultTag("router-chart/latency-predictor"), "llm_d_latency_predictor.prediction_server:app"}
	giePredictor    = predictor{"registry.k8s.io", "gateway-api-inference-extension/latency", catalogue.DefaultTag("inferencepool-chart/latency-predictor"), "prediction_server:app"}
)

// latencyPredictor makes the containers of the predictor where one is asked for.
func (r *release) latencyPredictor(p *draft.Part, from string, values map[string]any, kind predictor) {
	if values["enabled"] != true {
		return
	}
	var l LatencyPredictor
	if err := sigsyaml.Unmarshal(fmt.Appendf(nil, predictorDefaults, kind.registry, kind.repository, kind.tag), &l); err != nil {
		panic(err) // a table of our own
	}
	said := len(r.Problems.Errors())
	r.decode(p, from, &l)
	if len(r.Problems.Errors()) > said {
		return
	}
	l.Train.Image.renamed()
	l.Predict.Image.renamed()
	for _, image := range []string{"trainingServer.image", "predictionServers.image"} {
		if !p.Doc.Has(from + "." + image + ".tag") {
			p.On(schedulerSection+".containers", from).Note("%s.tag: %s, since the values name none; each release of the chart has its own", image, kind.tag)
		}
	}
	r.predictorEnv(p, from, &l)
	for i := range l.containers(kind) {
		p.Append(schedulerSection+".containers", l.containers(kind)[i], from)
	}
	p.Append(schedulerSection+".volumes", storage("training-server-storage", l.Train.VolumeSize), from)
	for i := range l.Predict.Count {
		p.Append(schedulerSection+".volumes", storage(predictorName(i)+"-storage", l.Predict.VolumeSize), from)
	}
}

// predictorEnv tells the EPP where the servers are.
func (r *release) predictorEnv(p *draft.Part, from string, l *LatencyPredictor) {
	var urls []string
	for i := range l.Predict.Count {
		urls = append(urls, localhost(l.Predict.StartPort+i))
	}
	env := []corev1.EnvVar{{Name: "PREDICTION_SERVER_URL", Value: strings.Join(urls, ",")}, {Name: "TRAINING_SERVER_URL", Value: localhost(l.Train.Port)}}
	for _, e := range append(env, variablesOf(l.EPPEnv)...) {
		p.Append(schedulerSection+".env", e, from)
	}
}

// renamed is an image by the names that its fields have since charts 1.5.
func (i *Image) renamed() {
	i.Registry, i.Repository = cmp.Or(i.Hub, i.Registry), cmp.Or(i.Name, i.Repository)
}

func localhost(port int32) string { return "http://localhost:" + strconv.Itoa(int(port)) }

func predictorName(i int32) string { return "prediction-server-" + strconv.Itoa(int(i)+1) }

func storage(name string, size resource.Quantity) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &size}}}
}

// variablesOf are those of a mapping, in a fixed order.
func variablesOf(m map[string]string) []corev1.EnvVar {
	return lists.Map(slices.Sorted(maps.Keys(m)), func(name string) corev1.EnvVar { return corev1.EnvVar{Name: name, Value: m[name]} })
}

// containers of the training server and the prediction servers. The charts put their
// settings into ConfigMaps, which the containers take as variables.
func (l *LatencyPredictor) containers(kind predictor) []corev1.Container {
	pod := corev1.EnvVar{Name: "POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}}
	train := l.Train.container("training-server", l.Train.Port, "training-port", "/models")
	train.Env = append(train.Env, pod, corev1.EnvVar{Name: "SERVER_TYPE", Value: "training"})
	out := []corev1.Container{train}
	for i := range l.Predict.Count {
		port, number := l.Predict.StartPort+i, strconv.Itoa(int(i)+1)
		c := l.Predict.container(predictorName(i), port, "predict-port-"+number, "/server_models")
		c.Command = []string{"uvicorn"}
		c.Args = []string{kind.module, "--host", "0.0.0.0", "--port", strconv.Itoa(int(port))}
		c.Env = append(c.Env, corev1.EnvVar{Name: "PREDICT_PORT", Value: strconv.Itoa(int(port))}, pod,
			corev1.EnvVar{Name: "SERVER_TYPE", Value: "prediction-" + number}, corev1.EnvVar{Name: "TRAINING_SERVER_URL", Value: localhost(l.Train.Port)})
		for _, probe := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe} {
			if probe != nil && probe.HTTPGet != nil {
				probe.HTTPGet.Port = intstr.FromInt32(port)
			}
		}
		out = append(out, c)
	}
	return out
}

func (s *PredictorServer) container(name string, port int32, portName, mount string) corev1.Container {
	return corev1.Container{
		Name: name, Image: s.Image.Registry + "/" + s.Image.Repository + ":" + s.Image.Tag, ImagePullPolicy: corev1.PullPolicy(s.Image.PullPolicy),
		Ports:          []corev1.ContainerPort{{Name: portName, ContainerPort: port}},
		Env:            variablesOf(s.Config),
		LivenessProbe:  s.LivenessProbe.DeepCopy(),
		ReadinessProbe: s.ReadinessProbe.DeepCopy(),
		Resources:      s.Resources,
		VolumeMounts:   []corev1.VolumeMount{{Name: name + "-storage", MountPath: mount}},
	}
}
