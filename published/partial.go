package published

import (
	"bytes"
	"encoding/json"
)

// PartialJSONSchema returns the JSON Schema for patches on stacks: nothing is required, null
// removes a field, and the directives of strategic merge patches, such as $patch, may stand
// anywhere.
func PartialJSONSchema() string {
	var root map[string]any
	dec := json.NewDecoder(bytes.NewReader([]byte(JSONSchema())))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		panic(err) // schemagen wrote it
	}
	defs, _ := root["$defs"].(map[string]any)
	for _, def := range defs {
		loosen(def)
	}
	loosen(root)
	root["$id"] = "https://inferstack.dev/schemas/inferencestack.partial.schema.json"
	root["title"] = "InferenceStack, a patch"
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // it was JSON
	}
	return string(text) + "\n"
}

// loosen makes a schema one of patches, down to the types that it refers to.
func loosen(schema any) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	delete(s, "required")
	delete(s, "minItems")
	if s["additionalProperties"] == false {
		s["patternProperties"] = map[string]any{`^\$`: true}
	}
	loosen(s["items"])
	if values, ok := s["additionalProperties"].(map[string]any); ok {
		loosen(values)
		s["additionalProperties"] = orNull(values)
	}
	properties, _ := s["properties"].(map[string]any)
	for name, property := range properties {
		loosen(property)
		properties[name] = orNull(property)
	}
}

// orNull is a schema that takes null as well, with its words where an editor looks for them.
func orNull(property any) any {
	p, ok := property.(map[string]any)
	if !ok || len(p) == 0 {
		return property
	}
	out := map[string]any{"anyOf": []any{p, map[string]any{"type": "null"}}}
	for _, key := range []string{"description", "default"} {
		if value, ok := p[key]; ok {
			out[key] = value
			delete(p, key)
		}
	}
	return out
}
