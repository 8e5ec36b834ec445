package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	repository "github.com/argoproj/argo-cd/v3/reposerver/apiclient"
	"github.com/argoproj/argo-cd/v3/util/cmp"
)

// folder is an application in a repository, with the environment that its parameters make.
type folder struct {
	repository, application string
	env                     []string
}

// Answer is all that a plugin says of one application.
type Answer struct {
	// Discovery reports whether the plugin can tell its applications from others, Supported whether this is one of its own.
	Discovery bool `json:"discovery"`
	Supported bool `json:"supported"`
	// Parameters are those that the plugin announces.
	Parameters []*repository.ParameterAnnouncement `json:"parameters"`
	Manifests  []string                            `json:"manifests"`
}

// ask asks all that Argo CD asks a plugin; manifests only of one that claims the application. parameters is
// spec.source.plugin.parameters of the Application, as JSON.
func ask(socket string, f folder, parameters string, out io.Writer) error {
	closer, client, err := apiclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	if err != nil {
		return err
	}
	defer closer.Close()
	var chosen v1alpha1.ApplicationSourcePluginParameters
	if err := json.Unmarshal([]byte(parameters), &chosen); err != nil {
		return fmt.Errorf("parameters: %w", err)
	}
	if f.env, err = chosen.Environ(); err != nil {
		return fmt.Errorf("parameters: %w", err)
	}
	answer := Answer{Parameters: []*repository.ParameterAnnouncement{}, Manifests: []string{}}
	if err := answer.fill(context.Background(), client, f); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(answer)
}

func (a *Answer) fill(ctx context.Context, client apiclient.ConfigManagementPluginServiceClient, f folder) error {
	config, err := client.CheckPluginConfiguration(ctx, &emptypb.Empty{})
	if err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	a.Discovery = config.IsDiscoveryConfigured
	match, err := exchange(ctx, client.MatchRepository, f)
	if err != nil {
		return fmt.Errorf("match: %w", err)
	}
	if a.Supported = match.IsSupported; !a.Supported {
		return nil
	}
	announced, err := exchange(ctx, client.GetParametersAnnouncement, f)
	if err != nil {
		return fmt.Errorf("announcement: %w", err)
	}
	a.Parameters = append(a.Parameters, announced.ParameterAnnouncements...)
	generated, err := exchange(ctx, client.GenerateManifest, f)
	if err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	a.Manifests = append(a.Manifests, generated.Manifests...)
	return nil
}

// A question is the stream of one call: the folder goes, an answer comes.
type question[R any] interface {
	cmp.StreamSender
	CloseAndRecv() (R, error)
}

func exchange[S question[R], R any](ctx context.Context, call func(context.Context, ...grpc.CallOption) (S, error), f folder) (R, error) {
	var none R
	stream, err := call(ctx)
	if err != nil {
		return none, err
	}
	if err := cmp.SendRepoStream(ctx, f.application, f.repository, stream, f.env, nil); err != nil {
		return none, err
	}
	return stream.CloseAndRecv()
}
