package pods

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/argv"
)

// Ports when no command line says one (llm-d-modelservice values.yaml 0.4.12).
const (
	defaultPort   = 8000
	defaultBehind = 8200
)

// ports are those of the pool and, on decode, of the server behind the sidecar.
func (s *Servers) ports() {
	decode := s.Roles[0]
	own := takePort(&decode.line)
	front := own
	if decode.sidecar != nil {
		front = sidecarPort(decode)
	}
	for _, p := range s.Roles[1:] {
		if port := takePort(&p.line); port != 0 && front != 0 && port != front {
			s.Lost(p.field("args"), "%s servers listen on %d, but the pool reaches all servers on %d", p.Name, port, front)
		}
	}
	if front != 0 {
		s.Set("spec.server.port", front, decode.field("args"))
	}
	switch {
	case s.splits() && decode.sidecar != nil && own != 0 && own != front:
		s.Set("spec.server.sidecarTargetPort", own, decode.field("args"))
	case s.splits() && front == defaultBehind:
		s.Set("spec.server.sidecarTargetPort", defaultPort, decode.From)
	case !s.splits() && decode.sidecar != nil:
		s.On("spec.decode", decode.From).Dropped().Note("the routing sidecar is left out: without prefill servers it has nothing to do, and the server itself listens on %d", max(front, defaultPort))
	}
}

func takePort(l *line) int {
	text, _ := l.Take("port")
	port, _ := strconv.Atoi(text)
	return port
}

func sidecarPort(r *Role) int {
	for f := range argv.Of(r.sidecar.Args) {
		if serving.FlagName(f.Name) == "port" {
			port, _ := strconv.Atoi(f.Value)
			return port
		}
	}
	return defaultPort
}

// model takes the model and its names off the command lines.
func (s *Servers) model() {
	var names []string
	for _, r := range s.Roles {
		if r.line.launch == LaunchCustom {
			continue
		}
		if m := r.line.model(); m != "" && !s.loads(m) {
			s.Lost(r.field("args"), "the %s servers load %q, which is not the model of the stack", r.Name, m)
		}
		own := r.line.Names()
		if names != nil && own != nil && !slices.Equal(names, own) {
			s.Lost(r.field("args"), "%s servers answer to other model names than the first role's", r.Name)
		}
		if own != nil {
			names = own
		}
	}
	if len(names) > 0 && (len(names) != 1 || names[0] != s.Text("spec.model.name")) {
		s.Set("spec.model.servedNames", names, s.Roles[0].field("args"))
	}
}

func (s *Servers) loads(word string) bool {
	return slices.ContainsFunc(s.Loads, func(l string) bool {
		return l == word || strings.HasPrefix(word, "/") && strings.HasPrefix(l, "/") && path.Clean(l) == path.Clean(word)
	})
}

// settings are flags with a field in server.vllm, where all roles agree, or in that of a role.
func (s *Servers) settings() {
	if s.Roles[0].line.launch == LaunchCustom {
		return
	}
	if s.Simulator {
		s.simulator()
		return
	}
	own := map[*Role]map[string]any{}
	for _, r := range s.Roles {
		own[r] = r.line.TakeVLLM()
	}
	for _, field := range serving.VLLMFields() {
		first := own[s.Roles[0]][field]
		if !slices.ContainsFunc(s.Roles, func(r *Role) bool { return !equal(own[r][field], first) }) {
			s.setting("server", field, first, s.Roles[0])
			continue
		}
		for _, r := range s.Roles {
			s.setting(r.Name, field, own[r][field], r)
		}
	}
}

func (s *Servers) setting(section, field string, value any, from *Role) {
	if value != nil {
		s.Set("spec."+section+".vllm."+field, value, from.field("args"))
	}
}

// simulator are the flags of the simulator with a field of their own.
func (s *Servers) simulator() {
	var lines []serving.RoleLine
	for _, r := range s.Roles {
		lines = append(lines, serving.RoleLine{Role: r.Name, From: r.field("args"), CommandLine: &r.line.CommandLine})
	}
	l := serving.NewLift(s.Part, lines...)
	l.SimulatorSettings()
	l.Say()
}

func (s *Servers) drop(flag string) {
	for _, r := range s.Roles {
		r.line.Take(flag)
	}
}

// transfer is vLLM's KV transfer. With prefill servers it is the stack's own; the plain
// NIXL configuration is what the stack writes anyway.
func (s *Servers) transfer() {
	if !s.Disaggregated() {
		return
	}
	const flag = "kv-transfer-config"
	usual := map[string]any{"kv_connector": "NixlConnector", "kv_role": "kv_both"}
	configs, written := []map[string]any{usual, usual}, false
	sides := []*Role{s.Roles[0], s.role("prefill")}
	for i, r := range sides {
		if value, ok := r.line.Value(flag); ok {
			var config map[string]any
			if err := json.Unmarshal([]byte(value), &config); err != nil {
				return // stays an argument
			}
			configs[i], written = config, true
		}
	}
	if !written {
		return
	}
	s.drop(flag)
	if equal(configs[0], usual) && equal(configs[1], usual) {
		s.On("spec.kvTransfer", s.Roles[0].field("args")).Note("kv_both of both roles becomes kv_consumer and kv_producer where the servers' image is known to have a vLLM that tells the two apart; spec.kvTransfer.config keeps what it says")
	} else {
		s.Set("spec.kvTransfer.config", configs[0], s.Roles[0].field("args"))
	}
	if !equal(configs[0], configs[1]) {
		s.Set("spec.kvTransfer.prefillConfig", configs[1], sides[1].field("args"))
	}
}

// parallelism of one role.
func (s *Servers) parallelism(r *Role) {
	to := "spec." + r.Name + ".parallelism."
	for _, p := range []struct{ flag, field string }{
		{"tensor-parallel-size", "tensor"}, {"pipeline-parallel-size", "pipeline"},
		{"data-parallel-size", "data"}, {"data-parallel-size-local", "dataLocal"},
	} {
		if value, ok := r.line.Take(p.flag); ok && r.line.launch != LaunchCustom {
			s.Set(to+p.field, serving.Scalar(value), r.field("args"))
		}
	}
	if _, ok := r.line.Take("enable-expert-parallel"); ok {
		s.Set(to+"expert", true, r.field("args"))
	}
}
