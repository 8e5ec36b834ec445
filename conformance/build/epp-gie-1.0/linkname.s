// Functions without a body, which go:linkname fills, need a file in assembly.
