package eppconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	yamlnode "go.yaml.in/yaml/v3"
	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/internal/pattern"
)

// read decodes a text as the EPP does (k8s.io/apimachinery pkg/runtime/serializer/json): as
// JSON when it begins with {, else as YAML 1.1, of which only the first document counts.
// What is nil cannot be judged further.
func read(text string) (map[string]any, []Finding) {
	if text == "" {
		return nil, nil // the EPP takes its built-in configuration
	}
	data := []byte(text)
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n\f\v"), []byte("{")) {
		var config map[string]any
		if err := json.Unmarshal(data, &config); err != nil {
			f := Finding{Message: "begins with {, so the EPP reads it as JSON, which it is not: " + err.Error()}
			f.Line, f.Column = jsonPosition(data, err)
			return nil, []Finding{f}
		}
		value, _ := decode(data)
		config, _ = value.(map[string]any)
		return config, repeated(data)
	}
	var twice []Finding
	converted, err := yaml.YAMLToJSONStrict(data)
	if err != nil { // perhaps only for a key that is set twice
		twice = setTwice(data)
		converted, err = yaml.YAMLToJSON(data)
	}
	if err != nil {
		return nil, []Finding{unreadable(err)}
	}
	value, err := decode(converted)
	if err != nil {
		return nil, []Finding{unreadable(err)}
	}
	if value == nil {
		return map[string]any{}, nil
	}
	config, ok := value.(map[string]any)
	if !ok {
		return nil, []Finding{{Message: "must be a mapping with plugins and schedulingProfiles", Line: 1}}
	}
	return config, twice
}

func decode(data []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

func jsonPosition(data []byte, err error) (line, column int) {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset > int64(len(data)) {
		return 1, 0
	}
	before := string(data[:syntax.Offset])
	return strings.Count(before, "\n") + 1, len(before) - strings.LastIndexByte(before, '\n') - 1
}

var lineNumber = pattern.Lazy(`line (\d+): `)

// unreadable is a text that is not a YAML. The parser tells the line in its message only.
func unreadable(err error) Finding {
	message := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	f := Finding{Message: "is not YAML: " + strings.TrimPrefix(message, "yaml: "), Line: 1}
	if m := lineNumber().FindStringSubmatch(message); m != nil {
		f.Line, _ = strconv.Atoi(m[1])
		f.Message = strings.Replace(f.Message, m[0], "", 1)
	}
	return f
}

// repeated finds keys that are set twice, by themselves or through a merge.
func repeated(data []byte) []Finding {
	if _, err := yaml.YAMLToJSONStrict(data); err == nil {
		return nil
	}
	return setTwice(data)
}

// setTwice are the keys that a text which is refused for some sets twice.
func setTwice(data []byte) []Finding {
	var doc yamlnode.Node
	if yamlnode.Unmarshal(data, &doc) != nil || len(doc.Content) == 0 {
		return []Finding{{Message: "sets a key twice", Line: 1}}
	}
	found := repeats(doc.Content[0], nil, nil)
	if len(found) == 0 {
		return []Finding{{Message: "sets a key twice", Line: 1}}
	}
	return found
}

func repeats(n *yamlnode.Node, at path, found []Finding) []Finding {
	switch n.Kind {
	case yamlnode.SequenceNode:
		for i, item := range n.Content {
			found = repeats(item, at.index(i), found)
		}
	case yamlnode.MappingNode:
		seen := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			for _, name := range setBy(key, value) {
				if line, ok := seen[name]; ok {
					found = append(found, Finding{At: at.key(name), Message: fmt.Sprintf("is set in line %d already", line), Line: key.Line, Column: key.Column})
				}
				seen[name] = key.Line
			}
			found = repeats(value, at.key(key.Value), found)
		}
	}
	return found
}

// setBy are the keys that an entry of a mapping sets: itself, or those that it merges in.
func setBy(key, value *yamlnode.Node) (names []string) {
	if key.Value != "<<" {
		return []string{key.Value}
	}
	if value.Kind == yamlnode.AliasNode {
		value = value.Alias
	}
	for i := 0; value != nil && value.Kind == yamlnode.MappingNode && i+1 < len(value.Content); i += 2 {
		names = append(names, value.Content[i].Value)
	}
	return names
}

// plain turns values of any decoder into those of read.
func plain(v map[string]any) map[string]any {
	data, err := json.Marshal(v)
	if err != nil {
		return map[string]any{} // it came from YAML
	}
	out, err := decode(data)
	if m, ok := out.(map[string]any); ok && err == nil && m != nil {
		return m
	}
	return map[string]any{}
}
