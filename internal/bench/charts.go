package main

import (
	"errors"
	"fmt"
	"path/filepath"
)

// oneChart compares render with helm template of upstream's chart of one pool.
func (b *bench) oneChart() (string, error) {
	t := newTable("helm template, one chart", "render of a stack, against `helm template` of upstream's inferencepool chart, which makes the endpoint picker and the pool alone (at most 0.2 times)")
	theirs, err := b.yardstick(helm)
	if err != nil {
		t.missing("helm", err)
		return t.String(), nil
	}
	chart, err := b.chart()
	if err != nil {
		return "", err
	}
	template := command{args: []string{theirs, "template", "llama", chart, "--set", "inferencePool.modelServers.matchLabels.app=llama", "--set", "provider.name=istio"}}
	for _, name := range examples {
		samples, err := b.compare(command{args: []string{b.ours, "render", "examples/" + name + "/stack.yaml"}}, template)
		if err != nil {
			return "", err
		}
		t.add(name, samples)
	}
	return t.String(), nil
}

// A release is one of the charts that make a stack, and its values.
type release struct{ name, chart, values string }

// threeCharts compares render with what llm-d's guides have people run for the same stack.
func (b *bench) threeCharts() (string, error) {
	t := newTable("The three charts of a stack", "render of prefill-decode-istio, against llm-d-infra, inferencepool and llm-d-modelservice of the same servers, by `helm template` three times and by `helmfile template` (at most 0.067 times)")
	releases, err := b.releases()
	if err == nil {
		err = b.versusCharts(t, releases)
	}
	if errors.Is(err, errNoCharts) {
		t.missing("helm", err)
		return t.String(), nil
	}
	return t.String(), err
}

var errNoCharts = errors.New("-charts names no directory with llm-d-infra and llm-d-modelservice, as `helm pull --untar` leaves them")

// releases write the values of the three charts.
func (b *bench) releases() ([]release, error) {
	if b.charts == "" {
		return nil, errNoCharts
	}
	pool, err := b.chart()
	if err != nil {
		return nil, err
	}
	releases := []release{
		{"infra", filepath.Join(b.charts, "llm-d-infra"), "gateway: {gatewayClassName: istio}\n"},
		{"pool", pool, "provider: {name: istio}\ninferencePool: {modelServers: {matchLabels: {llm-d.ai/model: qwen}}}\n"},
		{"servers", filepath.Join(b.charts, "llm-d-modelservice"), `modelArtifacts: {uri: "hf://Qwen/Qwen3-8B", name: Qwen/Qwen3-8B, size: 20Gi, labels: {llm-d.ai/model: qwen}}
decode: {create: true, replicas: 2, containers: [{name: vllm, image: "docker.io/vllm/vllm-openai:v0.11.0", modelCommand: vllmServe}]}
prefill: {create: true, replicas: 2, containers: [{name: vllm, image: "docker.io/vllm/vllm-openai:v0.11.0", modelCommand: vllmServe}]}
`},
	}
	for i, r := range releases {
		if releases[i].values, err = b.write("values-"+r.name+".yaml", []byte(r.values)); err != nil {
			return nil, err
		}
	}
	return releases, nil
}

func (b *bench) versusCharts(t *table, releases []release) error {
	theirs, err := b.yardstick(helm)
	if err != nil {
		return err
	}
	text, script := "releases:\n", "set -e\n"
	for _, r := range releases {
		script += fmt.Sprintf("%s template %s %s -f %s\n", theirs, r.name, r.chart, r.values)
		text += fmt.Sprintf("- name: %s\n  chart: %s\n  values: [%s]\n", r.name, r.chart, r.values)
	}
	render := command{args: []string{b.ours, "render", "examples/prefill-decode-istio/stack.yaml"}}
	samples, err := b.compare(render, command{args: []string{"sh", "-c", script}})
	if err != nil {
		return err
	}
	t.add("`helm template` of each", samples)
	file, err := b.write("helmfile.yaml", []byte(text))
	if err != nil {
		return err
	}
	all, err := b.yardstick(helmfile)
	if err != nil {
		t.missing("helmfile", err)
		return nil
	}
	samples, err = b.compare(render, command{args: []string{all, "--quiet", "--helm-binary", theirs, "--file", file, "template", "--skip-deps"}})
	if err != nil {
		return err
	}
	t.add("`helmfile template`", samples)
	return nil
}
