package rules

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/internal/near"
	"github.com/inferstack/inferstack/schema"
)

const loraPath = "spec.model.lora"

// adaptersFit checks the adapters: their names, their sources, and what can load them.
func adaptersFit(s stack) []schema.Problem {
	lora := s.Spec.Model.LoRA
	if lora == nil {
		return nil
	}
	var out []schema.Problem
	if len(lora.Adapters) == 0 && lora.ResolveFrom == "" && !lora.RuntimeUpdating {
		out = append(out, s.Problem(schema.Error, loraPath, "needs adapters, or resolveFrom or runtimeUpdating to load them later"))
	}
	taken := map[string]string{}
	for _, name := range s.Spec.Model.Served() {
		taken[name] = "the model"
	}
	images := map[string]bool{}
	for i := range lora.Adapters {
		a := &lora.Adapters[i]
		at := finding.Indexed(loraPath+".adapters", i)
		if who := taken[a.Name]; who != "" {
			out = append(out, s.Problem(schema.Error, at+".name", "must be unique: %s is served as %q", who, a.Name))
		}
		taken[a.Name] = "another adapter"
		out = append(out, s.adapterSource(at, a)...)
		out = append(out, s.adapterRank(at+".rank", lora, a)...)
		if dir := s.Spec.Model.AdapterPath(a); a.ParsedSource().Scheme == "oci" && images[dir] {
			out = append(out, s.Problem(schema.Error, at+".name", "must lead to a directory of its own: %s is taken", dir))
		} else {
			images[dir] = true
		}
	}
	out = append(out, s.claimSource(loraPath+".resolveFrom", schema.ParseSource(lora.ResolveFrom, ""))...)
	return append(out, s.adapterLimits(lora)...)
}

// adapterSource checks where one adapter comes from.
func (s stack) adapterSource(at string, a *schema.Adapter) []schema.Problem {
	at += ".source"
	source := a.ParsedSource()
	switch {
	case source.Scheme == "hf" && strings.Count(source.Model, "/") != 1:
		return []schema.Problem{s.Problem(schema.Error, at, "must end with the adapter's organisation and name: hf://org/adapter (got %q)", a.Source)}
	case source.Scheme == "hf" && s.Spec.Model.Storage.ReadOnly:
		return []schema.Problem{s.Problem(schema.Warning, at, "is not downloaded, because model.storage.readOnly keeps the servers offline; it must already be in the cache")}
	case source.Scheme == "oci" && s.Simulated():
		return nil
	}
	return s.claimSource(at, source)
}

// adapterRank checks the rank of one adapter against what memory is reserved for.
func (s stack) adapterRank(at string, lora *schema.LoRA, a *schema.Adapter) []schema.Problem {
	switch {
	case a.Rank == nil:
		return nil
	case s.Simulated():
		return []schema.Problem{s.Problem(schema.Info, at, "has no effect: the simulator loads no adapters")}
	case lora.MaxRank != nil && *a.Rank > *lora.MaxRank:
		return []schema.Problem{s.Problem(schema.Error, at, "must not be above maxRank, %d (got %d)", *lora.MaxRank, *a.Rank)}
	case lora.MaxRank != nil:
		return []schema.Problem{s.Problem(schema.Info, at, "has no effect beside maxRank, %d", *lora.MaxRank)}
	}
	return nil
}

// claimSource checks a directory on a claim.
func (s stack) claimSource(at string, source schema.ModelSource) (out []schema.Problem) {
	if source.Scheme != "pvc" {
		return nil
	}
	if len(validation.IsDNS1123Subdomain(source.Claim)) > 0 {
		out = append(out, s.Problem(schema.Error, at, "must name a PersistentVolumeClaim after pvc:// (got %q)", source.Claim))
	}
	if slices.Contains(strings.Split(source.Path, "/"), "..") {
		out = append(out, s.Problem(schema.Error, at, "must not lead out of the claim with .."))
	}
	return out
}

// adapterLimits checks what bounds adapters, and that the engine has a use for it.
func (s stack) adapterLimits(lora *schema.LoRA) (out []schema.Problem) {
	if lora.MaxCPUAdapters != nil && *lora.MaxCPUAdapters < atLeast(lora.MaxAdapters, 1) {
		out = append(out, s.Problem(schema.Error, loraPath+".maxCpuAdapters", "must be at least maxAdapters, %d (got %d)", atLeast(lora.MaxAdapters, 1), *lora.MaxCPUAdapters))
	}
	if lora.RuntimeUpdating {
		out = append(out, s.Problem(schema.Warning, loraPath+".runtimeUpdating", "lets whoever reaches a server load adapters, and each server has only what was loaded into it; prefer adapters or resolveFrom"))
	}
	if !s.Simulated() {
		return out
	}
	for _, field := range []string{"maxRank", "resolveFrom", "runtimeUpdating"} {
		if at := loraPath + "." + field; s.Has(at) {
			out = append(out, s.Problem(schema.Info, at, "has no effect: the simulator loads no adapters"))
		}
	}
	return out
}

func atLeast(value *int32, fallback int32) int32 {
	if value == nil {
		return fallback
	}
	return *value
}

// modelRewritesFit checks aliases and rollouts: what they match, and who answers.
func modelRewritesFit(s stack) (out []schema.Problem) {
	names, matched := map[string]bool{}, map[string]string{}
	served := append(slices.Clone(s.Spec.Model.Served()), s.Spec.Model.AdapterNames()...)
	for i := range s.Spec.ModelRewrites {
		r, at := &s.Spec.ModelRewrites[i], finding.Indexed("spec.modelRewrites", i)
		if names[r.Name] {
			out = append(out, s.Problem(schema.Error, at+".name", "must be unique (got %q twice)", r.Name))
		}
		names[r.Name] = true
		models := r.Models
		if len(models) == 0 {
			models = []string{""}
		}
		for _, model := range models {
			if before := matched[model]; before != "" {
				out = append(out, s.Problem(schema.Error, at+".models", "%s are rewritten by %s already, and the EPP uses the older object", requestsFor(model), before))
			}
			matched[model] = at
		}
		out = append(out, s.rewriteTargets(at+".targets", r.Targets, served)...)
	}
	return out
}

func requestsFor(model string) string {
	if model == "" {
		return "requests for any model"
	}
	return "requests for " + model
}

// rewriteTargets checks the weights, and that somebody serves what is named.
func (s stack) rewriteTargets(at string, targets []schema.RewriteTarget, served []string) (out []schema.Problem) {
	weights := 0
	for i, t := range targets {
		if t.Weight != nil {
			weights++
		}
		if slices.Contains(served, t.Model) || s.loadsAdaptersLater() {
			continue
		}
		hint := "served here: " + strings.Join(served, ", ")
		if near := near.Of(t.Model, served); near != "" {
			hint = "did you mean \"" + near + "\"?"
		}
		out = append(out, s.Problem(schema.Error, finding.Indexed(at, i)+".model", "%q is neither a served name of the model nor an adapter; %s", t.Model, hint))
	}
	if weights > 0 && weights < len(targets) {
		out = append(out, s.Problem(schema.Error, at, "must all have a weight, or none"))
	}
	return out
}

// loadsAdaptersLater reports whether the servers can serve names that are not in the spec.
func (s stack) loadsAdaptersLater() bool {
	lora := s.Spec.Model.LoRA
	return !s.Spec.Server.Create || lora != nil && (lora.ResolveFrom != "" || lora.RuntimeUpdating)
}

// downloadsAdapters reports whether the servers fetch adapters from Hugging Face.
func (s stack) downloadsAdapters() bool {
	lora := s.Spec.Model.LoRA
	return lora != nil && slices.ContainsFunc(lora.Adapters, func(a schema.Adapter) bool { return a.ParsedSource().Scheme == "hf" })
}
