module github.com/inferstack/inferstack/conformance/build/loading

go 1.26.0

require k8s.io/apimachinery v0.33.4
