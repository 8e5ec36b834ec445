package schema

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/release"
)

const (
	latencyPath   = schedulerPath + ".latencyPredictor"
	latencyPreset = "predicted-latency"
)

// Ports of the servers beside the EPP that predict latencies.
const (
	TrainingPort   = 8000
	PredictionPort = 8001
)

// latencyPredictorFits compares the servers that predict latencies with the plugins that ask
// for predictions.
func latencyPredictorFits(s *Stack) []Problem {
	sched, line := &s.Spec.Scheduler, s.line()
	if line == nil || !sched.Enabled {
		return nil
	}
	needs := s.needsPredictions(line)
	switch {
	case sched.LatencyPredictor == nil && sched.Preset == latencyPreset:
		return []Problem{s.Problem(Error, schedulerPath+".preset", "predicted-latency needs %s, the servers that predict; write latencyPredictor: {}", Path(latencyPath))}
	case sched.LatencyPredictor == nil && needs != "" && !s.predictsElsewhere():
		return []Problem{s.Problem(Warning, s.configPath(), "%s needs predicted latencies, and nobody predicts them: the EPP routes as if it were not there; write latencyPredictor: {} into scheduler, or name servers of your own in its env PREDICTION_SERVER_URL", needs)}
	case sched.LatencyPredictor == nil:
		return nil
	case !predicts(line):
		return []Problem{s.Problem(Error, latencyPath, "needs a release line whose EPP asks for predictions, not %s; use release %s", line.Name, linesThat(predicts))}
	case needs == "" && s.Preset() != latencyPreset: // else the preset has no form here
		return []Problem{s.Problem(Error, latencyPath, "predicts latencies that no plugin of %s reads; leave it out, or use preset predicted-latency", Path(s.configPath()))}
	}
	return s.latencySettings()
}

// latencySettings reports settings that only the preset reads.
func (s *Stack) latencySettings() []Problem {
	var out []Problem
	for _, field := range []string{"slo", "streaming"} {
		if at := latencyPath + "." + field; s.Has(at) && s.Preset() == "" {
			out = append(out, s.Problem(Info, at, "has no effect beside plugins of your own; it sets those of preset predicted-latency"))
		}
	}
	if p := s.Spec.Scheduler.LatencyPredictor; p.SLO && p.Streaming != nil && !*p.Streaming {
		out = append(out, s.Problem(Error, latencyPath+".streaming", "must not be false with slo: true: without streamed answers there is no time between tokens to hold"))
	}
	return out
}

// needsPredictions is the type of a plugin in force that needs predicted latencies.
func (s *Stack) needsPredictions(line *release.Line) string {
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
func (s *Stack) configPath() string {
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
func (s *Stack) predictsElsewhere() bool {
	return slices.ContainsFunc(s.Spec.Scheduler.Env, func(v corev1.EnvVar) bool { return v.Name == "PREDICTION_SERVER_URL" })
}

// predicts reports whether a release line has servers that predict latencies.
func predicts(line *release.Line) bool { return line.Images.LatencyTraining != "" }

// latencyServer is the section of the training or prediction servers, empty without any.
func (s *Stack) latencyServer(predicts bool) LatencyServer {
	switch p := s.Spec.Scheduler.LatencyPredictor; {
	case p == nil:
		return LatencyServer{}
	case predicts:
		return p.Prediction
	default:
		return p.Training
	}
}

// PredictionServer is the name of one of the prediction servers, counted from 0.
func PredictionServer(i int) string { return "prediction-server-" + strconv.Itoa(i+1) }

// TrainingServer is the name of the training server.
const TrainingServer = "training-server"

// StorageSuffix ends the names of their volumes.
const StorageSuffix = "-storage"

// latencyNames are the names of the volumes and containers of the latency predictor.
func (s *Stack) latencyNames() (volumes, containers []string) {
	p := s.Spec.Scheduler.LatencyPredictor
	if p == nil {
		return nil, nil
	}
	containers = []string{TrainingServer}
	for i := range int(p.PredictionServers) {
		containers = append(containers, PredictionServer(i))
	}
	for _, c := range containers {
		volumes = append(volumes, c+StorageSuffix)
	}
	return volumes, containers
}

// latencyPorts are the ports of the latency predictor, with their names.
func (s *Stack) latencyPorts() map[int32]string {
	out := map[int32]string{}
	if p := s.Spec.Scheduler.LatencyPredictor; p != nil {
		out[TrainingPort] = "training"
		for i := range p.PredictionServers {
			out[PredictionPort+i] = "predict-" + strconv.Itoa(int(i)+1)
		}
	}
	return out
}
