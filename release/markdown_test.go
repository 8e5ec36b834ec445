package release

import (
	"path"
	"slices"
	"strings"
)

// Table is a Markdown table of the release lines, the default one first and then the newest.
func Table() string {
	names := Names()
	slices.Reverse(names)
	names = append([]string{Default}, slices.DeleteFunc(names, func(n string) bool { return n == Default })...)
	rows := []struct {
		title string
		cell  func(l *Line) string
	}{
		{"endpoint picker", func(l *Line) string { return code(path.Base(l.Images.EPP)) }},
		{"routing sidecar", func(l *Line) string { return code(path.Base(l.Images.Sidecar)) }},
		{"simulator", func(l *Line) string { return code(path.Base(l.Images.Simulator)) }},
		{"vLLM (NVIDIA)", func(l *Line) string { return code(projectImage(l.Images.VLLM["nvidia"])) }},
		{"SGLang (NVIDIA)", func(l *Line) string { return engineImage(l, "sglang") }},
		{"TensorRT-LLM (NVIDIA)", func(l *Line) string { return engineImage(l, "trtllm") }},
		{"Inference Extension", func(l *Line) string { return l.InferenceExtension }},
		{"`EndpointPickerConfig`", func(l *Line) string { return code(l.APIs.EndpointPickerConfig) }},
		{"`InferenceObjective`", func(l *Line) string { return code(l.APIs.Objective) }},
		{"KV events", func(l *Line) string { return strings.Join(l.EPP.KVEvents.Modes, " or ") }},
		{"one copy of a model over several nodes", func(l *Line) string { return yesNo(l.VLLM.Flags["nodes"] != "") }},
	}
	var out strings.Builder
	out.WriteString("| |")
	for _, n := range names {
		out.WriteString(" " + code(`"`+n+`"`))
		if n == Default {
			out.WriteString(" (default)")
		}
		out.WriteString(" |")
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(names)) + "\n")
	for _, row := range rows {
		out.WriteString("| " + row.title + " |")
		for _, n := range names {
			line, err := Load(n)
			if err != nil {
				panic(err) // the lines are embedded, or were read when they were added
			}
			out.WriteString(" " + row.cell(line) + " |")
		}
		out.WriteString("\n")
	}
	return out.String()
}

func code(text string) string { return "`" + text + "`" }

// engineImage is the image of an engine that not every line has.
func engineImage(l *Line, engine string) string {
	if image := l.Engines[engine].Images["nvidia"]; image != "" {
		return code(projectImage(image))
	}
	return "none"
}

// projectImage leaves out the registry, and the project where it is llm-d.
func projectImage(image string) string {
	_, name, _ := strings.Cut(image, "/")
	return strings.TrimPrefix(name, "llm-d/")
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
