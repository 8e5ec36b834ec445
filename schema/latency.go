package schema

import "strconv"

// LatencyPreset is the preset that asks for predicted latencies.
const LatencyPreset = "predicted-latency"

// Ports of the servers beside the EPP that predict latencies.
const (
	TrainingPort   = 8000
	PredictionPort = 8001
)

// TrainingServer is the name of the training server.
const TrainingServer = "training-server"

// StorageSuffix ends the names of their volumes.
const StorageSuffix = "-storage"

// PredictionServer is the name of one of the prediction servers, counted from 0.
func PredictionServer(i int) string { return "prediction-server-" + strconv.Itoa(i+1) }
