// Argocd-cmp-server is Argo CD's plugin server, and with "generate SOCKET REPOSITORY APPLICATION" also its
// repository server's side of the conversation: it streams the folder and prints the manifests that come back.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/argoproj/argo-cd/v3/cmd/argocd-cmp-server/commands"
	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/cmp"
)

func main() {
	var err error
	if len(os.Args) == 5 && os.Args[1] == "generate" {
		err = generate(os.Args[2], os.Args[3], os.Args[4])
	} else {
		err = commands.NewCommand().Execute()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(socket, repository, application string) error {
	closer, client, err := apiclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	if err != nil {
		return err
	}
	defer closer.Close()
	ctx := context.Background()
	match, err := client.MatchRepository(ctx)
	if err != nil {
		return err
	}
	if err := cmp.SendRepoStream(ctx, application, repository, match, nil, nil); err != nil {
		return err
	}
	answer, err := match.CloseAndRecv()
	if err != nil {
		return fmt.Errorf("match: %w", err)
	}
	if !answer.IsSupported {
		return fmt.Errorf("the plugin does not claim %s", application)
	}
	stream, err := client.GenerateManifest(ctx)
	if err != nil {
		return err
	}
	if err := cmp.SendRepoStream(ctx, application, repository, stream, nil, nil); err != nil {
		return err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	for _, manifest := range response.Manifests {
		fmt.Println("---")
		fmt.Println(manifest)
	}
	return nil
}
