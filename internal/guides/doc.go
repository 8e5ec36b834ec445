// Package guides holds InferenceStacks against the manifests of the guides and samples after which they are written:
// llm-d's guides, and KServe's samples as its controller v0.20.0 makes them.
package guides
