package rules

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

const latencyPath = schedulerPath + ".latencyPredictor"

// latencyPredictorFits compares the servers that predict latencies with the plugins that ask
// for predictions.
func latencyPredictorFits(s stack) []schema.Problem {
	sched, line := &s.Spec.Scheduler, s.line()
	if line == nil || !sched.Enabled {
		return nil
	}
	needs := s.needsPredictions(line)
	switch {
	case sched.LatencyPredictor == nil && sched.Preset == schema.LatencyPreset:
		return []schema.Problem{s.Problem(schema.Error, schedulerPath+".preset", "predicted-latency needs %s, the servers that predict; write latencyPredictor: {}", schema.Path(latencyPath))}
	case sched.LatencyPredictor == nil && needs != "" && !s.predictsElsewhere():
		return []schema.Problem{s.Problem(schema.Warning, s.configPath(), "%s needs predicted latencies, and nobody predicts them: the EPP routes as if it were not there; write latencyPredictor: {} into scheduler, or name servers of your own in its env PREDICTION_SERVER_URL", needs)}
	case sched.LatencyPredictor == nil:
		return nil
	case !predicts(line):
		return []schema.Problem{s.Problem(schema.Error, latencyPath, "needs a release line whose EPP asks for predictions, not %s; use release %s", line.Name, linesThat(predicts))}
	case needs == "" && s.Preset() != schema.LatencyPreset: // else the preset has no form here
		return []schema.Problem{s.Problem(schema.Error, latencyPath, "predicts latencies that no plugin of %s reads; leave it out, or use preset predicted-latency", schema.Path(s.configPath()))}
	}
	return s.latencySettings()
}

// latencySettings reports settings that only the preset reads.
func (s stack) latencySettings() (out []schema.Problem) {
	for _, field := range []string{"slo", "streaming"} {
		if at := latencyPath + "." + field; s.Has(at) && s.Preset() == "" {
			out = append(out, s.Problem(schema.Info, at, "has no effect beside plugins of your own; it sets those of preset predicted-latency"))
		}
	}
	if p := s.Spec.Scheduler.LatencyPredictor; p.SLO && p.Streaming != nil && !*p.Streaming {
		out = append(out, s.Problem(schema.Error, latencyPath+".streaming", "must not be false with slo: true: without streamed answers there is no time between tokens to hold"))
	}
	return out
}

// needsPredictions is the type of a plugin in force that needs predicted latencies.
func (s stack) needsPredictions(line *release.Line) string {
	plugins, _ := s.configOutline(line)["plugins"].([]any)
	for _, p := range plugins {
		m, _ := p.(map[string]any)
		name, _ := m["type"].(string)
		if line.EPP.Plugin(name).NeedsPredictions() {
			return name
		}
	}
	return ""
}

// configPath is the field that says which plugins there are.
func (s stack) configPath() string {
	switch sched := &s.Spec.Scheduler; {
	case sched.Config != nil:
		return schedulerPath + ".config"
	case len(sched.Scorers) > 0:
		return schedulerPath + ".scorers"
	default:
		return schedulerPath + ".preset"
	}
}

// predictsElsewhere reports whether the EPP is told of servers of the user's own.
func (s stack) predictsElsewhere() bool {
	return slices.ContainsFunc(s.Spec.Scheduler.Env, func(v corev1.EnvVar) bool { return v.Name == "PREDICTION_SERVER_URL" })
}

// predicts reports whether a release line has servers that predict latencies.
func predicts(line *release.Line) bool { return line.Images.LatencyTraining != "" }

// latencyServer is the section of the training or prediction servers, empty without any.
func (s stack) latencyServer(predicts bool) schema.LatencyServer {
	switch p := s.Spec.Scheduler.LatencyPredictor; {
	case p == nil:
		return schema.LatencyServer{}
	case predicts:
		return p.Prediction
	default:
		return p.Training
	}
}

// latencyNames are the names of the volumes and containers of the latency predictor.
func (s stack) latencyNames() (volumes, containers []string) {
	p := s.Spec.Scheduler.LatencyPredictor
	if p == nil {
		return nil, nil
	}
	containers = []string{schema.TrainingServer}
	for i := range int(p.PredictionServers) {
		containers = append(containers, schema.PredictionServer(i))
	}
	for _, c := range containers {
		volumes = append(volumes, c+schema.StorageSuffix)
	}
	return volumes, containers
}

// latencyPorts are the ports of the latency predictor, with their names.
func (s stack) latencyPorts() map[int32]string {
	out := map[int32]string{}
	if p := s.Spec.Scheduler.LatencyPredictor; p != nil {
		out[schema.TrainingPort] = "training"
		for i := range p.PredictionServers {
			out[schema.PredictionPort+i] = "predict-" + strconv.Itoa(int(i)+1)
		}
	}
	return out
}
