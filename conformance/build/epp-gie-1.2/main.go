// Epp-gie-1.2 loads configurations as the endpoint picker of the Inference Extension v1.2.0 does.
package main

import "github.com/inferstack/inferstack/conformance/build/loading"

func main() { loading.Main(setup) }
