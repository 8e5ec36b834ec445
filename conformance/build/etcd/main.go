// Etcd is upstream's server, built from its Go module: the API server of the conformance tests stores into it.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
