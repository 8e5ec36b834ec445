package gotemplate

import "text/template/parse"

// jump says how a part of a loop's body ended.
type jump int

const (
	onward jump = iota
	nextRound
	leaveLoop
)

// walk writes what a part of the template makes of dot.
func (r *run) walk(dot any, n parse.Node) jump {
	r.step(n)
	switch n := n.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			if j := r.walk(dot, child); j != onward {
				return j
			}
		}
	case *parse.TextNode:
		r.write(n, string(n.Text))
	case *parse.ActionNode:
		r.action(dot, n)
	case *parse.IfNode:
		return r.branch(dot, &n.BranchNode)
	case *parse.WithNode:
		return r.branch(dot, &n.BranchNode)
	case *parse.RangeNode:
		return r.loop(dot, n)
	case *parse.BreakNode:
		return leaveLoop
	case *parse.ContinueNode:
		return nextRound
	case *parse.TemplateNode:
		r.named(dot, n)
	}
	return onward
}

// action prints a pipeline, unless it only sets a variable.
func (r *run) action(dot any, n *parse.ActionNode) {
	v := r.pipeline(dot, n.Pipe)
	if len(n.Pipe.Decl) > 0 {
		return
	}
	if v == nil {
		r.fail(n.Pipe, "there is no value")
	}
	r.print(n.Pipe, v)
}

// branch is an if, or a with: that makes the value the new dot.
func (r *run) branch(dot any, n *parse.BranchNode) jump {
	defer r.forget(len(r.vars))
	v := r.pipeline(dot, n.Pipe)
	switch {
	case truth(v) && n.NodeType == parse.NodeWith:
		return r.walk(v, n.List)
	case truth(v):
		return r.walk(dot, n.List)
	case n.ElseList != nil:
		return r.walk(dot, n.ElseList)
	}
	return onward
}

// named includes the template that a define or block has given a name.
func (r *run) named(dot any, n *parse.TemplateNode) {
	tree := r.trees[n.Name]
	if tree == nil {
		r.fail(n, "there is no template %q", n.Name)
	}
	if r.depth == maxNesting {
		r.fail(n, "templates are inside each other more than %d times", maxNesting)
	}
	var data any
	if n.Pipe != nil {
		data = r.pipeline(dot, n.Pipe)
	}
	r.include(tree, data)
}

// include executes a whole template, which sees no variable but $.
func (r *run) include(tree *parse.Tree, data any) {
	outside := r.vars
	r.vars = []variable{{"$", data}}
	r.depth++
	r.walk(data, tree.Root)
	r.depth--
	r.vars = outside
}

// forget drops the variables beyond the first n, when their block ends.
func (r *run) forget(n int) { r.vars = r.vars[:n] }

// assign gives the innermost variable of a name another value.
func (r *run) assign(name string, value any) {
	for i := len(r.vars) - 1; i >= 0; i-- {
		if r.vars[i].name == name {
			r.vars[i].value = value
			return
		}
	}
}

// value is that of the innermost variable of a name; the parser has seen that there is one.
func (r *run) value(name string) any {
	for i := len(r.vars) - 1; i >= 0; i-- {
		if r.vars[i].name == name {
			return r.vars[i].value
		}
	}
	return nil
}
