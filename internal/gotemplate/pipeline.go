package gotemplate

import (
	"fmt"
	"reflect"
	"strings"
	"text/template/parse"
)

// pipeline is the value of commands, each of which gets the one before as its last
// argument. It declares or sets the variables in front.
func (r *run) pipeline(dot any, p *parse.PipeNode) (v any) {
	for i, c := range p.Cmds {
		var last []any
		if i > 0 {
			last = []any{v}
		}
		v = r.command(dot, c, last)
	}
	for _, d := range p.Decl {
		if p.IsAssign {
			r.assign(d.Ident[0], v)
		} else {
			r.vars = append(r.vars, variable{d.Ident[0], v})
		}
	}
	return v
}

func (r *run) command(dot any, c *parse.CommandNode, last []any) any {
	if _, ok := c.Args[0].(*parse.IdentifierNode); ok {
		return r.call(dot, c.Args, last)
	}
	if len(c.Args) > 1 || len(last) > 0 {
		r.fail(c, "%s is not a function, and has an argument", c.Args[0])
	}
	return r.operand(dot, c.Args[0])
}

// operand is the value of one word.
func (r *run) operand(dot any, n parse.Node) any {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot
	case *parse.FieldNode:
		return r.fields(n, dot, n.Ident)
	case *parse.VariableNode:
		return r.fields(n, r.value(n.Ident[0]), n.Ident[1:])
	case *parse.ChainNode:
		return r.fields(n, r.operand(dot, n.Node), n.Field)
	case *parse.PipeNode:
		return r.pipeline(dot, n)
	case *parse.IdentifierNode:
		return r.call(dot, []parse.Node{n}, nil)
	case *parse.StringNode:
		return n.Text
	case *parse.BoolNode:
		return n.True
	case *parse.NumberNode:
		return r.number(n)
	}
	return nil
}

// number is a float if it is written as one, as in text/template (idealConstant in
// exec.go, Go 1.26): 1.0 is, 'e' and 0xe are not.
func (r *run) number(n *parse.NumberNode) any {
	float := strings.ContainsAny(n.Text, ".eEpP")
	if strings.HasPrefix(n.Text, "'") || hex(n.Text) && !strings.ContainsAny(n.Text, "pP") {
		float = false
	}
	switch {
	case n.IsFloat && float:
		return n.Float64
	case n.IsInt:
		return int(n.Int64)
	}
	r.fail(n, "the number is too large, or complex")
	return nil
}

func hex(number string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimLeft(number, "+-")), "0x")
}

// fields goes down a path of keys.
func (r *run) fields(at parse.Node, v any, path []string) any {
	for _, key := range path {
		m := reflect.ValueOf(v)
		if m.Kind() != reflect.Map {
			r.fail(at, "%s of %s", key, describe(v))
		}
		var ok bool
		if v, ok = lookup(m, key); !ok && !r.Lenient {
			r.fail(at, "there is no %s", key)
		}
	}
	return v
}

// lookup finds the value of a key. Without one it is the zero value of the map's type.
func lookup(m reflect.Value, key any) (any, bool) {
	k := reflect.ValueOf(key)
	if k.IsValid() && k.Type().AssignableTo(m.Type().Key()) {
		if v := m.MapIndex(k); v.IsValid() {
			return v.Interface(), true
		}
	}
	return reflect.Zero(m.Type().Elem()).Interface(), false
}

// describe names a value's kind in a message.
func describe(v any) string {
	switch reflect.ValueOf(v).Kind() {
	case reflect.Invalid:
		return "nothing"
	case reflect.Slice:
		return "a list"
	case reflect.Map:
		return "a map"
	case reflect.String:
		return fmt.Sprintf("the string %q", v)
	}
	return fmt.Sprintf("the %T %v", v, v)
}
