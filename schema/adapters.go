package schema

import (
	"fmt"
	"path"
	"slices"
)

// The directories under which servers find adapters.
const (
	adapterDir      = "/adapters"
	adapterClaimDir = adapterDir + "/pvc"
	adapterImageDir = adapterDir + "/oci"
)

// AdapterVolumeName is the name of a volume of AdapterVolumes, by its place.
func AdapterVolumeName(i int) string { return fmt.Sprintf("adapters-%d", i) }

// ParsedSource takes the adapter's source apart.
func (a *Adapter) ParsedSource() ModelSource { return ParseSource(a.Source, "") }

// An AdapterVolume is a volume that holds adapters, apart from the model's own.
type AdapterVolume struct {
	// Claim is the PersistentVolumeClaim, or Image the image of one adapter.
	Claim, Image string
	// MountPath is where the servers mount it, read-only.
	MountPath string
}

// AdapterVolumes lists the volumes of the adapters in the order in which they are named: one
// for each claim that does not hold the model, and one for each image.
func (m *Model) AdapterVolumes() (out []AdapterVolume) {
	if m.LoRA == nil {
		return nil
	}
	claim := func(name string) {
		same := func(v AdapterVolume) bool { return v.Claim == name }
		if name != "" && name != m.claim() && !slices.ContainsFunc(out, same) {
			out = append(out, AdapterVolume{Claim: name, MountPath: path.Join(adapterClaimDir, name)})
		}
	}
	for i := range m.LoRA.Adapters {
		a := &m.LoRA.Adapters[i]
		if source := a.ParsedSource(); source.Scheme == "oci" {
			out = append(out, AdapterVolume{Image: source.Image, MountPath: path.Join(adapterImageDir, a.Name)})
		} else {
			claim(source.Claim)
		}
	}
	claim(ParseSource(m.LoRA.ResolveFrom, "").Claim)
	return out
}

// AdapterPath is what the servers load an adapter from: a name on Hugging Face, or a directory.
func (m *Model) AdapterPath(a *Adapter) string {
	source := a.ParsedSource()
	switch source.Scheme {
	case "oci":
		return path.Join(adapterImageDir, a.Name)
	case "pvc":
		return m.claimPath(source)
	default:
		return source.Model
	}
}

// ResolverDir is the directory in which servers look for adapters that requests name, or "".
func (m *Model) ResolverDir() string {
	if m.LoRA == nil || m.LoRA.ResolveFrom == "" {
		return ""
	}
	return m.claimPath(ParseSource(m.LoRA.ResolveFrom, ""))
}

func (m *Model) claimPath(source ModelSource) string {
	if source.Claim == m.claim() {
		return path.Join(m.Storage.MountPath, source.Path)
	}
	return path.Join(adapterClaimDir, source.Claim, source.Path)
}

// claim is the existing claim that holds the model, or "".
func (m *Model) claim() string {
	if source := m.ParsedSource(); source.Claim != "" {
		return source.Claim
	}
	return m.Storage.ExistingClaim
}

// loraRanks are the largest ranks that vLLM can reserve memory for (vllm v0.30 vllm/config/lora.py,
// MaxLoRARanks).
var loraRanks = []int32{1, 8, 16, 32, 64, 128, 256, 320, 512}

// RankLimit is the largest rank of an adapter, or nil where the engine's own holds.
func (l *LoRA) RankLimit() *int32 {
	if l.MaxRank != nil {
		return l.MaxRank
	}
	var largest int32
	for i := range l.Adapters {
		if rank := l.Adapters[i].Rank; rank != nil {
			largest = max(largest, *rank)
		}
	}
	if largest == 0 {
		return nil
	}
	i, _ := slices.BinarySearch(loraRanks, largest)
	return &loraRanks[i]
}

// AdapterNames are the names of the adapters that are loaded at startup.
func (m *Model) AdapterNames() (names []string) {
	if m.LoRA != nil {
		for _, a := range m.LoRA.Adapters {
			names = append(names, a.Name)
		}
	}
	return names
}

// Served are the names by which clients ask for the model itself: those of servedNames, or
// its own. There is at least one.
func (m *Model) Served() []string {
	if len(m.ServedNames) > 0 {
		return m.ServedNames
	}
	return []string{m.Name}
}
