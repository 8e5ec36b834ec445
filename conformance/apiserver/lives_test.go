package apiserver

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/inferstack/inferstack/conformance/cluster"
	"github.com/inferstack/inferstack/conformance/manifests"
	"github.com/inferstack/inferstack/conformance/product"
)

// lives applies version after version of every example over the former one.
func lives(t *testing.T, server *cluster.Cluster, all []product.Example) {
	for _, example := range all {
		if !example.Top() || ends[example.Name] {
			continue
		}
		t.Run(example.Name, func(t *testing.T) {
			client := server.Client(t)
			s := &stack{example: example, client: client, stacks: example.Stacks(t), level: "restricted", scratch: t.TempDir()}
			if exempt, ok := asRoot[example.Name]; ok {
				s.level = exempt.level
			}
			t.Cleanup(func() { client.Remove(t, s.objects) })
			s.begin(t)
			steps := life
			if long[example.Name] {
				steps = append(append([]step{}, life...), longLife...)
			}
			for _, step := range steps {
				t.Run(step.name, func(t *testing.T) { s.become(t, step) })
			}
			upgrades.Row(t, "examples/"+example.Name, s.versions, s.changed, s.replaced, s.pruned, len(s.objects))
		})
	}
}

// stack is an example that runs and changes.
type stack struct {
	example product.Example
	client  *cluster.Client
	level   string
	scratch string

	stacks   product.Stacks
	rendered string // the file with what is applied
	objects  []*unstructured.Unstructured
	kinds    kinds

	versions, changed, replaced, pruned int
}

// begin applies the example as it is in the repository.
func (s *stack) begin(t *testing.T) {
	t.Helper()
	s.rendered, s.objects = s.render(t, s.stacks)
	s.namespaces(t, s.objects)
	apply(t, s.client, s.objects)
	bind(t, s.client, s.objects)
}

// become makes the next version of the stack out of the one that runs.
func (s *stack) become(t *testing.T, step step) {
	next := s.stacks.Edit(t, step.patch)
	if says := refused[s.example.Name+"/"+step.name]; says != "" {
		if _, said, err := product.Try(t, "render", next.Write(t)); err == nil || !strings.Contains(string(said), says) {
			t.Errorf("the compiler used to refuse this with %q: %v\n%s", says, err, said)
		}
		return
	}
	rendered, objects := s.render(t, next)
	s.namespaces(t, objects)
	verdicts := map[string]string{}
	for _, d := range product.Diff(t, s.rendered, rendered) {
		verdicts[strings.Join([]string{d.Group, d.Kind, d.Namespace, d.Name}, "/")] = d.Risk
	}
	for _, object := range objects {
		if risk, differs := verdicts[identity(object)]; differs {
			s.apply(t, object, risk)
		}
	}
	s.stacks, s.rendered, s.objects = next, rendered, objects

	s.prune(t)
	s.left(t)
	bind(t, s.client, s.objects)
}

// render compiles the stacks; their file outlives the step, since the next one is compared with it.
func (s *stack) render(t *testing.T, stacks product.Stacks) (string, []*unstructured.Unstructured) {
	t.Helper()
	s.versions++
	output := product.Run(t, "render", stacks.Write(t))
	path := filepath.Join(s.scratch, strconv.Itoa(s.versions)+".yaml")
	if err := os.WriteFile(path, output, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, served(manifests.Parse(t, output))
}

// namespaces makes those of the objects, and beside each one in which nothing ever was.
func (s *stack) namespaces(t *testing.T, objects []*unstructured.Unstructured) {
	t.Helper()
	s.client.Prerequisites(t, objects, standard(s.level))
	fresh := make([]*unstructured.Unstructured, len(objects))
	for i, object := range objects {
		fresh[i] = elsewhere(object)
	}
	s.client.Prerequisites(t, fresh, standard(s.level))
	s.kinds.add(objects)
}
