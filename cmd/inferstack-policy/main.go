// Command inferstack-policy is what inferstack runs for policies and for stacks in CUE: the evaluator, which
// is kept out of inferstack so that it stays small and starts fast as a function.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/inferstack/inferstack/internal/verdict"
	"github.com/inferstack/inferstack/policy"
)

// mostMemory bounds what an evaluation takes, in bytes.
const mostMemory = 1 << 30

func main() {
	go watch()
	var request verdict.Request
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		fail("this program is run by inferstack: " + err.Error())
	}
	answer := policy.Judge
	if request.Package != nil {
		answer = func(r verdict.Request) verdict.Answer { return policy.Evaluate(*r.Package) }
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer(request)); err != nil {
		fail(err.Error())
	}
}

// watch ends the program when it takes too much memory; who started it bounds its time.
func watch() {
	for range time.Tick(20 * time.Millisecond) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > mostMemory {
			fail("takes more than 1 GiB of memory to evaluate")
		}
	}
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, "error:", text)
	os.Exit(1)
}
