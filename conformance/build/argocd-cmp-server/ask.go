package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/cmp"
)

// folder is an application in a repository.
type folder struct{ repository, application string }

// Answer is all that a plugin says of one application.
type Answer struct {
	// Discovery says whether the plugin can tell its applications from others, Supported whether this is one of its own.
	Discovery bool `json:"discovery"`
	Supported bool `json:"supported"`
	// Parameters are the names of those that the plugin announces.
	Parameters []string `json:"parameters"`
	Manifests  []string `json:"manifests"`
}

// ask asks all that Argo CD asks a plugin; manifests only of one that claims the application.
func ask(socket string, f folder, out io.Writer) error {
	closer, client, err := apiclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	if err != nil {
		return err
	}
	defer closer.Close()
	ctx := context.Background()
	answer := Answer{Parameters: []string{}, Manifests: []string{}}
	config, err := client.CheckPluginConfiguration(ctx, &emptypb.Empty{})
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	answer.Discovery = config.IsDiscoveryConfigured
	if err := answer.match(ctx, client, f); err != nil {
		return fmt.Errorf("match: %w", err)
	}
	if answer.Supported {
		if err := answer.announce(ctx, client, f); err != nil {
			return fmt.Errorf("parameters: %w", err)
		}
		if err := answer.generate(ctx, client, f); err != nil {
			return fmt.Errorf("generate: %w", err)
		}
	}
	return json.NewEncoder(out).Encode(answer)
}

func (f folder) stream(ctx context.Context, to cmp.StreamSender) error {
	return cmp.SendRepoStream(ctx, f.application, f.repository, to, nil, nil)
}

func (a *Answer) match(ctx context.Context, client apiclient.ConfigManagementPluginServiceClient, f folder) error {
	stream, err := client.MatchRepository(ctx)
	if err != nil {
		return err
	}
	if err := f.stream(ctx, stream); err != nil {
		return err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return err
	}
	a.Supported = response.IsSupported
	return nil
}

func (a *Answer) announce(ctx context.Context, client apiclient.ConfigManagementPluginServiceClient, f folder) error {
	stream, err := client.GetParametersAnnouncement(ctx)
	if err != nil {
		return err
	}
	if err := f.stream(ctx, stream); err != nil {
		return err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return err
	}
	for _, announcement := range response.ParameterAnnouncements {
		a.Parameters = append(a.Parameters, announcement.Name)
	}
	return nil
}

func (a *Answer) generate(ctx context.Context, client apiclient.ConfigManagementPluginServiceClient, f folder) error {
	stream, err := client.GenerateManifest(ctx)
	if err != nil {
		return err
	}
	if err := f.stream(ctx, stream); err != nil {
		return err
	}
	response, err := stream.CloseAndRecv()
	if err != nil {
		return err
	}
	a.Manifests = response.Manifests
	return nil
}
