package rules

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/inferstack/inferstack/schema"
)

// modelSource checks where the weights come from.
func modelSource(s stack) (out []schema.Problem) {
	const at = "spec.model.source"
	source := s.Spec.Model.ParsedSource()
	if strings.HasPrefix(source.Scheme, "pvc") && len(validation.IsDNS1123Subdomain(source.Claim)) > 0 {
		out = append(out, s.Problem(schema.Error, at, "must name a PersistentVolumeClaim after %s:// (got %q)", source.Scheme, source.Claim))
	}
	if source.Scheme == "pvc+hf" && strings.Count(source.Model, "/") != 1 {
		out = append(out, s.Problem(schema.Error, at, "must end with the model's organisation and name: pvc+hf://claim/path/organisation/model"))
	}
	for _, step := range strings.Split(source.Path, "/") {
		if step == ".." {
			out = append(out, s.Problem(schema.Error, at, "must not lead out of the claim with .."))
			break
		}
	}
	if source.Scheme == "hf" || s.Spec.Model.Source == "" {
		return append(out, s.downloadFits(source)...)
	}
	if source.InBucket() {
		return append(out, s.bucketFits(source)...)
	}
	out = append(out, s.downloadFits(source)...)
	for _, field := range []string{"type", "size", "name", "existingClaim", "storageClassName", "accessMode"} {
		if s.Has("spec.model.storage." + field) {
			out = append(out, s.Problem(schema.Error, "spec.model.storage."+field, "has no effect: the source %s:// brings its own volume", source.Scheme))
		}
	}
	return out
}

// bucketFits checks a source in a bucket: each pod downloads it into a volume of its own.
func (s stack) bucketFits(source schema.ModelSource) []schema.Problem {
	var out []schema.Problem
	if source.Bucket == "" {
		out = append(out, s.Problem(schema.Error, "spec.model.source", "must name a bucket after %s:// (got %q)", source.Scheme, s.Spec.Model.Source))
	}
	for _, field := range []string{"name", "existingClaim", "storageClassName", "accessMode"} {
		if s.Has("spec.model.storage." + field) {
			out = append(out, s.Problem(schema.Error, "spec.model.storage."+field, "is not used: weights from %s:// are downloaded into an emptyDir of each pod; for a claim that holds them write pvc://", source.Scheme))
		}
	}
	if s.Spec.Model.Storage.Type == "pvc" {
		out = append(out, s.Problem(schema.Error, "spec.model.storage.type", "must be emptyDir for %s://: pods that start together would write the same files; for a claim that holds the weights write pvc://", source.Scheme))
	}
	return append(out, s.downloadFits(source)...)
}

// downloadFits checks the section that is for buckets alone.
func (s stack) downloadFits(source schema.ModelSource) (out []schema.Problem) {
	const at = "spec.model.download"
	download := s.Spec.Model.Download
	switch {
	case download == nil:
		return nil
	case !source.InBucket():
		return []schema.Problem{s.Problem(schema.Error, at, "needs %s s3:// or gs:// (source is %s://)", schema.Path("spec.model.source"), source.Scheme)}
	case s.Simulated():
		return []schema.Problem{s.Problem(schema.Info, at, "has no effect: the simulator loads no weights")}
	}
	for _, field := range []string{"endpoint", "region"} {
		if s.Has(at+"."+field) && source.Scheme != "s3" {
			out = append(out, s.Problem(schema.Error, at+"."+field, "is for s3:// only (source is %s://)", source.Scheme))
		}
	}
	return out
}

// modelStorage checks the volume of weights that come from Hugging Face.
func modelStorage(s stack) (out []schema.Problem) {
	const at = "spec.model.storage"
	storage := &s.Spec.Model.Storage
	if s.Spec.Model.ParsedSource().Scheme != "hf" {
		return nil
	}
	claim := storage.Type == "pvc"
	if claim && storage.ExistingClaim == "" && storage.Size == nil {
		out = append(out, s.Problem(schema.Error, at+".size", "is required for the claim that is made; or name one that exists by existingClaim"))
	}
	for _, field := range []string{"name", "storageClassName", "accessMode", "existingClaim"} {
		if !claim && s.Has(at+"."+field) {
			out = append(out, s.Problem(schema.Error, at+"."+field, "needs type: pvc"))
		}
	}
	for _, field := range []string{"name", "size", "storageClassName", "accessMode"} {
		if claim && storage.ExistingClaim != "" && s.Has(at+"."+field) {
			out = append(out, s.Problem(schema.Error, at+"."+field, "belongs to a claim that is made, and existingClaim names one that already exists"))
		}
	}
	if !claim && storage.ReadOnly {
		out = append(out, s.Problem(schema.Error, at+".readOnly", "needs type: pvc: an emptyDir that cannot be written stays empty"))
	}
	if claim && storage.ReadOnly && storage.ExistingClaim == "" {
		out = append(out, s.Problem(schema.Error, at+".readOnly", "needs existingClaim: the claim that is made is empty, and nothing could fill it"))
	}
	if claim && storage.AccessMode == "ReadOnlyMany" && s.Has(at+".accessMode") {
		out = append(out, s.Problem(schema.Warning, at+".accessMode", "is ReadOnlyMany, and the claim that is made is empty: unless its StorageClass fills it, the servers cannot write the weights into it"))
	}
	if s.Simulated() && claim {
		out = append(out, s.Problem(schema.Info, at+".type", "the simulator loads no weights; no volume is made and none is mounted"))
	}
	return out
}

// simulatorTokenizer refuses a simulator that would ask a render service that is not
// there (llm-d-inference-sim v0.9 and later).
func simulatorTokenizer(s stack) []schema.Problem {
	line := s.line()
	if line == nil || !s.Simulated() || s.Spec.Server.Simulator.DummyTokenizer || line.Simulator.Flags["renderURL"] == "" ||
		s.FollowsEvents(line) || s.Spec.Scheduler.Tokenizer.URL != "" {
		return nil
	}
	return []schema.Problem{s.Problem(schema.Error, "spec.server.simulator.dummyTokenizer", "can be false only with a render service to ask: name one by %s, or leave the field out", schema.Path("spec.scheduler.tokenizer.url"))}
}
