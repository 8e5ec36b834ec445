package main

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
)

// dump turns messages into JSON and notes in p each one that Envoy would refuse.
func dump[M proto.Message](p *Proxy, messages []M) []json.RawMessage {
	list := []json.RawMessage{}
	for _, message := range messages {
		for _, problem := range problems(message) {
			p.Invalid = append(p.Invalid, fmt.Sprintf("%s: %s", message.ProtoReflect().Descriptor().Name(), problem))
		}
		body, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
		if err != nil {
			p.Invalid = append(p.Invalid, err.Error())
			continue
		}
		list = append(list, body)
	}
	return list
}

// problems runs the validation rules of the Envoy API over message and over every configuration packed inside it,
// which the generated ValidateAll does not enter.
func problems(message proto.Message) []string {
	var found []string
	if v, ok := message.(interface{ ValidateAll() error }); ok {
		if err := v.ValidateAll(); err != nil {
			found = append(found, err.Error())
		}
	}
	walk(message.ProtoReflect(), func(packed *anypb.Any) {
		inner, err := packed.UnmarshalNew()
		if err != nil {
			found = append(found, err.Error())
			return
		}
		found = append(found, problems(inner)...)
	})
	return found
}

// walk calls visit for every Any in message, without entering it.
func walk(message protoreflect.Message, visit func(*anypb.Any)) {
	if packed, ok := message.Interface().(*anypb.Any); ok {
		visit(packed)
		return
	}
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsMap():
			if field.MapValue().Message() != nil {
				value.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
					walk(v.Message(), visit)
					return true
				})
			}
		case field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				walk(value.List().Get(i).Message(), visit)
			}
		default:
			walk(value.Message(), visit)
		}
		return true
	})
}
