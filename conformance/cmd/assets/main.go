// Assets builds every real component into the cache, so that the tests after it build nothing. Names of components
// as arguments build only those.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/inferstack/inferstack/conformance/assets"
)

func main() {
	names := os.Args[1:]
	if len(names) == 0 {
		for _, c := range assets.Components {
			names = append(names, c.Name)
		}
	}
	for _, name := range names {
		start := time.Now()
		path, err := assets.Build(name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "assets: %s: %v\n", name, err)
			os.Exit(1)
		}
		fmt.Printf("%-24s %6.1fs %s\n", name, time.Since(start).Seconds(), path)
	}
}
