package fn

import (
	"cmp"
	"fmt"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/fn/rewire"
	"github.com/inferstack/inferstack/internal/krm"
	"github.com/inferstack/inferstack/internal/lists"
	"github.com/inferstack/inferstack/schema"
	"github.com/inferstack/inferstack/schema/document"
)

// localConfig keeps an object from being applied (kustomize api/resource/factory.go
// DropLocalNodes, kpt live apply).
const localConfig = "config.kubernetes.io/local-config"

// runFunction is the program as a KRM function. What it has to say is in the results
// and on standard error, because kustomize drops the results.
func runFunction(std streams) error {
	list, err := readResourceList(std.in)
	if err != nil {
		list = &resourceList{apiVersion: "config.kubernetes.io/v1"}
	}
	if list == nil {
		return errNoInput
	}
	var found finding.List
	if err != nil {
		found = finding.List{problem("standard input: %v", err)}
	} else {
		found = capped(list.process())
	}
	for _, f := range found.Heard() {
		list.results = append(list.results, resultOf(f))
	}
	report(std.err, found)
	if err := list.write(std.out); err != nil {
		return failure{err}
	}
	if failed(found) {
		return errReported
	}
	return nil
}

// mostFindings is more than anybody reads, and few enough to be written in a second.
const mostFindings = 10000

// capped are the findings of a run that failed, at most so many.
func capped(found finding.List) finding.List {
	if !failed(found) || len(found) <= mostFindings {
		return found
	}
	more := problem("%d more were found; fix these first", len(found)-mostFindings)
	return append(found[:mostFindings:mostFindings], more)
}

// process does what the functionConfig asks for. The items change only when there is
// no error.
func (l *resourceList) process() finding.List {
	if l.config != nil && l.config.Kind() == rewire.Kind {
		return l.rewire()
	}
	products, found := l.compile()
	if failed(found) {
		return found
	}
	if l.throwaway() {
		l.items = nil
		for _, o := range objects(madeOf(products)) {
			l.made = append(l.made, placed{object: o})
		}
		return found
	}
	return append(found, l.replace(madeOf(products))...)
}

// generate is process of a list whose output is used once: what is made is all of it.
func (l *resourceList) generate() ([]product, finding.List) {
	if l.config.Kind() == rewire.Kind {
		return nil, l.rewire()
	}
	return l.compile()
}

// compile compiles the stacks of the list.
func (l *resourceList) compile() ([]product, finding.List) {
	stacks, err := l.stacks()
	if err != nil {
		return nil, finding.List{onItem(l.config, problem("%v", err))}
	}
	docs := make([]document.Document, len(stacks))
	for i, item := range stacks {
		docs[i] = documentOf(item)
		docs[i].Source.File = cmp.Or(docs[i].Source.File, l.file)
		if docs[i].IsStack() {
			continue // looked after when it is parsed
		}
		if err := document.Sound(item.Node); err != nil {
			return nil, finding.List{onItem(item, problem("%v", err))}
		}
	}
	opts, err := l.settings()
	if err != nil {
		return nil, finding.List{onItem(l.config, problem("%v", err))}
	}
	todo, found := unitsBy(docs, opts, l.locate)
	for i := range todo {
		todo[i].made = lineageOf(l.from, todo[i].Document)
	}
	products, more := compileUnits(todo)
	return products, append(found, more...)
}

// locate finds the file that an item was read from.
func (l *resourceList) locate(doc document.Document) (document.Document, bool) {
	if made := lineageOf(l.from, doc); made != nil {
		return made.original(doc)
	}
	return locate(doc)
}

// rewire fixes references after kustomize has renamed objects.
func (l *resourceList) rewire() (found finding.List) {
	if krm.Field(l.config.Node, "spec") != nil {
		found = append(found, onItem(l.config, problem("functionConfig: %s has no spec", rewire.Kind)))
	}
	items := lists.Map(l.items, (*krm.Object).Copy)
	for _, err := range rewire.Apply(items) {
		found = append(found, onItem(l.config, problem("%v", err)))
	}
	if !failed(found) {
		l.items = items
	}
	return found
}

// stacks returns what is to be compiled: the functionConfig when it is an
// InferenceStack or a resource of another system, else those among the items; and the
// ConfigMaps that a ModelService may refer to.
func (l *resourceList) stacks() ([]*krm.Object, error) {
	if l.compilesConfig() {
		return append([]*krm.Object{l.config}, l.configMaps()...), nil
	}
	if err := l.checkConfig(); err != nil {
		return nil, err
	}
	stacks := lists.Where(l.items, compilesItem)
	if len(stacks) == 0 {
		return nil, fmt.Errorf("no %s found: give one as functionConfig or among the items", schema.Kind)
	}
	return append(stacks, l.configMaps()...), nil
}

// compilesConfig reports whether the functionConfig is what is to be compiled.
func (l *resourceList) compilesConfig() bool { return l.config != nil && compilesItem(l.config) }

func compilesItem(item *krm.Object) bool { return compiles(item.APIVersion(), item.Kind()) }

// configMaps are the ConfigMaps among the items, when another system's resource may
// refer to them.
func (l *resourceList) configMaps() (out []*krm.Object) {
	old := l.compilesConfig() && l.config.Kind() != schema.Kind
	for _, item := range l.items {
		old = old || compilesItem(item) && item.Kind() != schema.Kind
		if isConfigMap(item) {
			out = append(out, item)
		}
	}
	if !old {
		return nil
	}
	return out
}

// checkConfig admits a functionConfig that is not compiled: a ConfigMap, as kpt makes up
// when it is given none.
func (l *resourceList) checkConfig() error {
	switch {
	case l.config == nil:
		return nil
	case l.config.Kind() != "ConfigMap":
		return fmt.Errorf("functionConfig: kind must be %s, or a ConfigMap (got %q)", schema.Kind, l.config.Kind())
	}
	_, err := l.settings()
	return err
}

// throwaway reports whether the output is used once, as kustomize does with a generator's:
// its only item is a copy of the functionConfig, from no file. There is nothing to
// keep then, and nothing to recognise next time.
func (l *resourceList) throwaway() bool {
	return l.config != nil && len(l.items) == 1 &&
		compilesItem(l.items[0]) && l.items[0].Name() == l.config.Name() &&
		pathOf(l.items[0]) == "" && pathOf(l.config) == ""
}

// documentOf is the item as package document knows it. Where it stands in the list is not
// where it stands in its file.
func documentOf(item *krm.Object) document.Document {
	return document.Document{
		Node:       item.Node,
		Source:     schema.Source{File: pathOf(item)},
		APIVersion: item.APIVersion(),
		Kind:       item.Kind(),
		Name:       item.Name(),
		Namespace:  item.Namespace(),
	}
}
