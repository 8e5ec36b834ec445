// Argocd-cmp-server is Argo CD's plugin server. With "ask SOCKET REPOSITORY APPLICATION PARAMETERS" it is the other side
// of the conversation, as Argo CD's repository server leads it: it streams the application's folder and prints what comes
// back.
package main

import (
	"fmt"
	"os"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
)

func main() {
	var err error
	if len(os.Args) == 6 && os.Args[1] == "ask" {
		err = ask(os.Args[2], folder{repository: os.Args[3], application: os.Args[4]}, os.Args[5], os.Stdout)
	} else {
		err = commands.NewCommand().Execute()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
