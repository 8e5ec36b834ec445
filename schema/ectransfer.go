package schema

// EncodePreset is the preset for encode servers.
const EncodePreset = "e-disaggregation"

// Values of ecTransfer.connector.
const (
	ECNIXL    = "ec-nixl"
	ECExample = "ec-example"
)

// EmbeddingsVolume is the volume through which servers exchange embeddings by files, and
// EmbeddingsDirectory where it is mounted.
const (
	EmbeddingsVolume    = "ec-cache"
	EmbeddingsDirectory = "/ec-cache"
)

// ReadsEmbeddings reports whether the role's servers read what encode servers have made: those
// that prefill.
func (s *Stack) ReadsEmbeddings(r *Role) bool {
	return s.Spec.Encode != nil && s.nameOf(r) == s.Prefiller()
}

// Prefiller is the role that does the prefill.
func (s *Stack) Prefiller() string {
	if s.Spec.Prefill == nil {
		return RoleDecode
	}
	return RolePrefill
}

// ExchangesEmbeddings reports whether the role's servers have an encoder cache that they share.
func (s *Stack) ExchangesEmbeddings(r *Role) bool { return s.isEncode(r) || s.ReadsEmbeddings(r) }

// PublishesEmbeddings reports whether others read embeddings out of the memory of the role's
// servers, by NIXL.
func (s *Stack) PublishesEmbeddings(r *Role) bool { return s.isEncode(r) && s.keepsEmbeddings(r) }

// keepsEmbeddings reports whether the role's servers keep embeddings in /dev/shm, as vLLM's
// ECCPUConnector does.
func (s *Stack) keepsEmbeddings(r *Role) bool {
	return s.ExchangesEmbeddings(r) && s.OwnECConnector(ECNIXL)
}

// SharesFiles reports whether the role's servers exchange embeddings through files of a claim.
func (s *Stack) SharesFiles(r *Role) bool {
	return s.ExchangesEmbeddings(r) && s.OwnECConnector(ECExample)
}

// OwnECConnector reports whether vLLM is configured for a connector by its settings here.
func (s *Stack) OwnECConnector(name string) bool {
	ec := &s.Spec.ECTransfer
	return s.RunsVLLM() && ec.Connector == name && ec.Config == nil
}

// ECConfig returns the --ec-transfer-config that the user writes for the role, or nil.
func (s *Stack) ECConfig(r *Role) map[string]any {
	switch {
	case s.isEncode(r):
		return s.Spec.ECTransfer.Config
	case s.ReadsEmbeddings(r):
		return s.Spec.ECTransfer.ConsumerConfig
	default:
		return nil
	}
}

// EmbeddingBytes returns the shared memory that a pod of the role keeps embeddings in, or 0.
// Each rank has as much for itself.
func (s *Stack) EmbeddingBytes(r *Role) int64 {
	if !s.keepsEmbeddings(r) {
		return 0
	}
	return s.Spec.ECTransfer.CPUMemory.Value() * int64(r.Parallelism.LocalRanks())
}
