package epp

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// Answer is what the endpoint picker decided about one request.
type Answer struct {
	// Headers are those that it sets on the request.
	Headers map[string]string
	// Status is the HTTP status with which it answers itself, or zero.
	Status int
}

// Endpoint is the address that the request goes to.
func (a Answer) Endpoint() string { return a.Headers["x-gateway-destination-endpoint"] }

// Ask sends one completion request through ext_proc as Envoy does it with the emitted modes: the headers, then the
// body in full duplex, whose end is told, and no answer is waited for in between.
func (p *Process) Ask(t testing.TB, path string, body map[string]any, headers map[string]string) Answer {
	t.Helper()
	conn, err := grpc.NewClient(p.Address, grpc.WithTransportCredentials(p.credentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	stream, err := extprocv3.NewExternalProcessorClient(conn).Process(ctx)
	if err != nil {
		t.Fatalf("ext_proc: %v", err)
	}
	payload, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range []*extprocv3.ProcessingRequest{requestHeaders(path, headers), requestBody(payload)} {
		if err := stream.Send(message); err != nil {
			t.Fatalf("ext_proc send: %v", err)
		}
	}
	answer, err := read(stream)
	if err != nil {
		t.Fatalf("ext_proc: %v\n%s", err, p.Tail())
	}
	return answer
}

func (p *Process) credentials() credentials.TransportCredentials {
	if !p.Secure {
		return insecure.NewCredentials()
	}
	// The picker signs its own certificate; the emitted DestinationRule does not verify it either.
	return credentials.NewTLS(&tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
}

func requestHeaders(path string, extra map[string]string) *extprocv3.ProcessingRequest {
	values := map[string]string{
		":method": "POST", ":path": path, ":authority": "gateway", "content-type": "application/json", "x-request-id": "conformance",
	}
	for name, value := range extra {
		values[name] = value
	}
	headers := &corev3.HeaderMap{}
	for name, value := range values {
		headers.Headers = append(headers.Headers, &corev3.HeaderValue{Key: name, RawValue: []byte(value)})
	}
	return &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestHeaders{RequestHeaders: &extprocv3.HttpHeaders{Headers: headers}},
		ProtocolConfig: &extprocv3.ProtocolConfiguration{
			RequestBodyMode:  filterv3.ProcessingMode_FULL_DUPLEX_STREAMED,
			ResponseBodyMode: filterv3.ProcessingMode_FULL_DUPLEX_STREAMED,
		},
	}
}

func requestBody(payload []byte) *extprocv3.ProcessingRequest {
	return &extprocv3.ProcessingRequest{
		Request: &extprocv3.ProcessingRequest_RequestBody{RequestBody: &extprocv3.HttpBody{Body: payload, EndOfStream: true}},
	}
}

// read collects the answer until the picker has handed back the whole body, after which Envoy forwards the request.
func read(stream extprocv3.ExternalProcessor_ProcessClient) (Answer, error) {
	answer := Answer{Headers: map[string]string{}}
	for {
		message, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return answer, fmt.Errorf("the stream ended before the body came back")
		}
		if err != nil {
			return answer, err
		}
		switch response := message.Response.(type) {
		case *extprocv3.ProcessingResponse_ImmediateResponse:
			answer.Status = int(response.ImmediateResponse.GetStatus().GetCode())
			return answer, nil
		case *extprocv3.ProcessingResponse_RequestHeaders:
			for _, option := range response.RequestHeaders.GetResponse().GetHeaderMutation().GetSetHeaders() {
				value := option.GetHeader().GetValue() + string(option.GetHeader().GetRawValue())
				answer.Headers[strings.ToLower(option.GetHeader().GetKey())] = value
			}
		case *extprocv3.ProcessingResponse_RequestBody:
			if response.RequestBody.GetResponse().GetBodyMutation().GetStreamedResponse().GetEndOfStream() {
				return answer, nil
			}
		}
	}
}
