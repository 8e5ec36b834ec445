package gotemplate

import (
	"fmt"
	"text/template/parse"
)

// Func is a function that templates can call.
type Func func(args []any) (any, error)

// Funcs are functions by their names.
type Funcs map[string]Func

// call calls the function that the first word names.
func (r *run) call(dot any, words []parse.Node, last []any) any {
	name := words[0].(*parse.IdentifierNode)
	if name.Ident == "and" || name.Ident == "or" {
		return r.logic(dot, words, last)
	}
	args := make([]any, 0, len(words))
	for _, w := range words[1:] {
		args = append(args, r.operand(dot, w))
	}
	args = append(args, last...)
	r.measure(name, args...)
	v, err := safely(r.funcs[name.Ident], args)
	if err != nil {
		r.fail(name, "%v", err)
	}
	r.made(name, v)
	return v
}

// logic is an and or an or: the first argument that settles it, and those behind are not
// evaluated.
func (r *run) logic(dot any, words []parse.Node, last []any) (v any) {
	if len(words)+len(last) == 1 {
		r.fail(words[0], "wants an argument")
	}
	settles := words[0].(*parse.IdentifierNode).Ident == "or"
	for _, w := range words[1:] {
		if v = r.operand(dot, w); truth(v) == settles {
			return v
		}
	}
	for _, v = range last {
	}
	return v
}

// safely makes an error of a panic: a template must not end the program by a negative
// count.
func safely(f Func, args []any) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return f(args)
}

// Unary makes a Func of a function with one parameter.
func Unary[A, R any](f func(A) R) Func {
	return func(args []any) (any, error) {
		if err := count(args, 1); err != nil {
			return nil, err
		}
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		return f(a), nil
	}
}

// Binary makes a Func of a function with two parameters.
func Binary[A, B, R any](f func(A, B) R) Func {
	return func(args []any) (any, error) {
		if err := count(args, 2); err != nil {
			return nil, err
		}
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		return Unary(func(b B) R { return f(a, b) })(args[1:])
	}
}

// Ternary makes a Func of a function with three parameters.
func Ternary[A, B, C, R any](f func(A, B, C) R) Func {
	return func(args []any) (any, error) {
		if err := count(args, 3); err != nil {
			return nil, err
		}
		a, err := as[A](args[0])
		if err != nil {
			return nil, err
		}
		return Binary(func(b B, c C) R { return f(a, b, c) })(args[1:])
	}
}

// Variadic makes a Func of a function with any number of arguments of any kind.
func Variadic[R any](f func(...any) R) Func {
	return func(args []any) (any, error) { return f(args...), nil }
}

func count(args []any, want int) error {
	if len(args) != want {
		return fmt.Errorf("number of arguments: %d, not %d", len(args), want)
	}
	return nil
}

// as is an argument in the type of its parameter. A list of anything is one of strings
// where the function wants strings, as for sprig's join.
func as[A any](v any) (A, error) {
	var a A
	switch p := any(&a).(type) {
	case *any:
		*p = v
		return a, nil
	case *[]string:
		if list, ok := v.([]any); ok {
			for _, e := range list {
				*p = append(*p, fmt.Sprint(e))
			}
			return a, nil
		}
	}
	if a, ok := v.(A); ok {
		return a, nil
	}
	return a, fmt.Errorf("an argument is %s, not of type %T", describe(v), a)
}
