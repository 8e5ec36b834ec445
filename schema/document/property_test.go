package document_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/inferstack/inferstack/generators"
	"github.com/inferstack/inferstack/generators/manifest"
	"github.com/inferstack/inferstack/internal/conform"
	"github.com/inferstack/inferstack/internal/long"
	"github.com/inferstack/inferstack/schema"
)

// TestValidMeansAccepted renders arbitrary valid stacks and lets the consumers' own code
// judge them: what the schema calls valid, the API server takes.
func TestValidMeansAccepted(t *testing.T) {
	seed := uint64(1)
	if s := os.Getenv("SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	failures := 0
	for i := range long.Specs(t, long.Of(200, 16)) {
		a := arbitrary{rand.New(rand.NewPCG(seed, uint64(i))), t}
		doc := a.stack(10 + a.IntN(60))
		err := refused(doc)
		if err == nil {
			continue
		}
		text, _ := yaml.Marshal(shrunk(t, doc))
		t.Errorf("SEED=%d, spec %d: %v\n%s", seed, i, err, text)
		if failures++; failures == 20 {
			t.Fatal("and so on")
		}
	}
}

// refused renders a document and returns what the consumers say. A document that is
// invalid is nobody's business.
func refused(doc map[string]any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	stack, problems := parse(doc)
	if len(problems.Errors()) > 0 {
		return nil
	}
	made, conflicts := generators.GenerateAll([]*schema.Stack{stack})
	if len(conflicts) > 0 {
		return nil
	}
	var out bytes.Buffer
	if err := manifest.WriteYAML(&out, made[0].Objects); err != nil {
		return err
	}
	if err := conform.CheckYAML(out.Bytes()); err != nil {
		return err
	}
	if own(stack) {
		return nil
	}
	for _, o := range made[0].Objects {
		if err := conform.PodSecurity(o, stack.Spec.Security.PodSecurity); err != nil {
			return err
		}
	}
	return nil
}

// own reports whether pods hold what the pod security standard cannot be promised of: the
// accelerators of docs/pod-security.md, and what a person added.
func own(s *schema.Stack) bool {
	root := []string{"amd", "intel-xpu", "google-tpu"}
	asRoot := func(a *schema.Accelerator) bool {
		return a != nil && (slices.Contains(root, a.Type) || a.RDMA != nil) // rdma locks memory
	}
	custom := asRoot(&s.Spec.Server.Accelerator) || len(s.Spec.Server.Containers)+len(s.Spec.Server.InitContainers)+len(s.Spec.Scheduler.Containers)+len(s.Spec.Scheduler.InitContainers) > 0
	roles := []*schema.Role{&s.Spec.Decode}
	if s.Spec.Prefill != nil {
		roles = append(roles, s.Spec.Prefill)
	}
	for _, r := range roles {
		custom = custom || len(r.Containers)+len(r.InitContainers) > 0 || asRoot(r.Accelerator)
		for _, v := range r.Variants {
			custom = custom || len(v.Containers)+len(v.InitContainers) > 0 || asRoot(v.Accelerator)
		}
	}
	return custom
}

// shrunk takes away all that is not needed for the document to be refused.
func shrunk(t *testing.T, doc map[string]any) map[string]any {
	for again := true; again; {
		again = false
		for _, path := range paths(doc, nil) {
			next := clone(t, doc)
			remove(next, path)
			if refused(next) != nil {
				doc, again = next, true
				break
			}
		}
	}
	return doc
}

// paths lists the keys of mappings, outer ones first.
func paths(at map[string]any, prefix []string) [][]string {
	var out [][]string
	for _, key := range slices.Sorted(maps.Keys(at)) {
		path := append(slices.Clone(prefix), key)
		out = append(out, path)
		if inner, ok := at[key].(map[string]any); ok {
			out = append(out, paths(inner, path)...)
		}
	}
	return out
}

func remove(at map[string]any, path []string) {
	for _, key := range path[:len(path)-1] {
		at = at[key].(map[string]any)
	}
	delete(at, path[len(path)-1])
}
