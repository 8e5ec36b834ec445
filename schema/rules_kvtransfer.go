package schema

// kvTransferFits checks the transfer of KV cache against engine and release line.
func kvTransferFits(s *Stack) []Problem {
	const at = "spec.kvTransfer"
	transfer, line := &s.Spec.KVTransfer, s.line()
	var out []Problem
	if s.Spec.Prefill == nil && s.Has(at) && transfer.Config == nil {
		out = append(out, s.Problem(Warning, at, "has no effect without a prefill section"))
	}
	if line != nil && s.Spec.Prefill != nil && line.Sidecar.Connectors[transfer.Connector] == "" {
		out = append(out, s.Problem(Error, at+".connector", "the routing sidecar of release %s does not know %s", s.Spec.Release, transfer.Connector))
	}
	if s.simulated() && transfer.Config != nil {
		out = append(out, s.Problem(Error, at+".config", "is vLLM's, and spec.server.engine is simulator"))
	}
	if s.Spec.Prefill != nil && !s.simulated() && transfer.Connector == "shared-storage" && transfer.Config == nil {
		out = append(out, s.Problem(Error, at+".config", "is required with connector: shared-storage: name vLLM's connector and its path here, and mount the storage by spec.server.volumes and volumeMounts"))
	}
	return append(out, s.offloadFits()...)
}

func (s *Stack) offloadFits() []Problem {
	const at = "spec.kvCache.offload"
	line := s.line()
	switch {
	case s.Spec.KVCache.Offload == nil || line == nil:
		return nil
	case s.simulated():
		return []Problem{s.Problem(Error, at, "is vLLM's, and spec.server.engine is simulator")}
	case s.Spec.KVTransfer.Config != nil:
		return []Problem{s.Problem(Error, at, "cannot stand beside spec.kvTransfer.config, which is the whole configuration; write the OffloadingConnector there")}
	case line.VLLM.OffloadSizeKey == "":
		return []Problem{s.Problem(Error, at, "the vLLM of release %s takes no size in bytes; write the OffloadingConnector into spec.kvTransfer.config, or move to a later release", s.Spec.Release)}
	}
	return nil
}
