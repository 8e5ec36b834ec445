package rules

import (
	"strings"

	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema"
)

// imageFits refuses what the vLLM of a role's image is known not to have.
func imageFits(s stack) (out []schema.Problem) {
	line := s.line()
	if line == nil || !s.RunsVLLM() || s.Spec.Server.Launch == "custom" || !s.Spec.Server.Create {
		return nil
	}
	for _, r := range s.Workloads() {
		image := s.ServerImage(r.Role, line)
		known := release.ModelServer(image)
		if known == nil {
			continue
		}
		for _, f := range s.spreadFlags(r) {
			if name := line.VLLM.Flags[f.name]; name != "" && known.Lacks(name) && known.Spelling(name) == "" {
				out = append(out, s.Problem(schema.Error, f.field, "needs --%s, which the vLLM of %s does not have; use a later image", name, image))
				break
			}
		}
	}
	return out
}

// spreadFlags are the flags that came with a version of vLLM and without which a role
// cannot be spread as its parallelism says, by field.
func (s stack) spreadFlags(r schema.Workload) (flags []generated) {
	p, at := &r.Parallelism, r.Path+".parallelism."
	if p.SpansNodes() {
		flags = append(flags, generated{"nodes", at + "nodes"})
	}
	if p.Nodes > 1 && p.Data > 1 && p.LocalRanks() > 1 && s.rankPorts(r.Role) == 1 {
		flags = append(flags, generated{"dataParallelHybridLB", at + "data"})
	}
	return flags
}

// imageTags warns of images whose content may change under one name, so that two pods of
// a rollout may differ.
func imageTags(s stack) (out []schema.Problem) {
	for _, i := range s.images() {
		name, _, digested := strings.Cut(i.name, "@")
		_, tag, tagged := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
		switch {
		case i.name == "" || digested:
		case !tagged:
			out = append(out, s.Problem(schema.Warning, i.field, "has no tag, which means latest: pods that start later may run another version; name a version or a digest"))
		case tag == "latest":
			out = append(out, s.Problem(schema.Warning, i.field, "latest is another version tomorrow, and pods that start then run it; name a version or a digest"))
		}
	}
	return out
}

// images lists the images that the user names, by field.
func (s stack) images() []generated {
	out := []generated{
		{s.Spec.Server.Image, "spec.server.image"},
		{s.Spec.Scheduler.Image, schedulerPath + ".image"},
		{s.Spec.Scheduler.Tokenizer.Image, schedulerPath + ".tokenizer.image"},
		{s.latencyServer(false).Image, latencyPath + ".training.image"},
		{s.latencyServer(true).Image, latencyPath + ".prediction.image"},
		{s.Spec.KVTransfer.Sidecar.Image, "spec.kvTransfer.sidecar.image"},
	}
	if download := s.Spec.Model.Download; download != nil {
		out = append(out, generated{download.Image, "spec.model.download.image"})
	}
	for _, r := range s.Workloads() {
		out = append(out, generated{r.Image, r.Path + ".image"})
	}
	if redis := s.Spec.KVCache.Redis; redis != nil {
		out = append(out, generated{redis.Image, "spec.kvCache.redis.image"})
	}
	if test := s.Spec.Delivery.SmokeTest; test != nil {
		out = append(out, generated{test.Image, "spec.delivery.smokeTest.image"})
	}
	for _, g := range s.gatewaysAt() {
		out = append(out, generated{g.Image, g.path + ".image"})
	}
	return out
}
