// Package editor asks the YAML language server that editors run what it makes of stacks and of the schema that
// `inferstack schema` prints.
package editor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/inferstack/inferstack/conformance/assets"
)

// version of the npm package yaml-language-server.
const version = "1.25.0"

// install returns the program, from the cache or from npm.
func install(t testing.TB) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not here: what the YAML language server says of the schema is not tested")
	}
	cache, err := assets.Dir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "npm", "yaml-language-server-"+version)
	program := filepath.Join(dir, "node_modules", ".bin", "yaml-language-server")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "yaml-language-server@"+version).CombinedOutput(); err != nil {
		t.Skipf("npm cannot install yaml-language-server: %v\n%s", err, out)
	}
	return program
}

// A Server is a running language server.
type Server struct {
	t    testing.TB
	in   io.Writer
	out  *bufio.Reader
	dir  string
	next int
}

// A message of the Language Server Protocol.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
}

// Start starts the server for the files of a directory.
func Start(t testing.TB, dir string) *Server {
	t.Helper()
	cmd := exec.Command(install(t), "--stdio")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s := &Server{t: t, in: in, out: bufio.NewReader(out), dir: dir}
	s.Ask("initialize", map[string]any{
		"processId": nil, "rootUri": "file://" + dir,
		"capabilities": map[string]any{"workspace": map[string]any{"configuration": true}, "textDocument": map[string]any{"publishDiagnostics": map[string]any{}}},
	}, nil)
	s.send(message{Method: "initialized", Params: []byte("{}")})
	return s
}

// Ask sends a request and reads its answer into result, unless that is nil.
func (s *Server) Ask(method string, params, result any) {
	s.t.Helper()
	s.next++
	id := []byte(strconv.Itoa(s.next))
	s.send(message{ID: id, Method: method, Params: s.encode(params)})
	answer := s.until(func(m message) bool { return m.Method == "" && bytes.Equal(m.ID, id) })
	if result != nil {
		s.decode(answer.Result, result)
	}
}

// A Diagnostic is what the server says of a line, which counts from 1.
type Diagnostic struct {
	Line    int
	Message string
}

// Open shows a text to the server, and returns what it says of it.
func (s *Server) Open(name, text string) []Diagnostic {
	s.t.Helper()
	uri := s.uri(name)
	s.send(message{Method: "textDocument/didOpen", Params: s.encode(map[string]any{
		"textDocument": map[string]any{"uri": uri, "languageId": "yaml", "version": 1, "text": text},
	})})
	var said struct {
		URI         string `json:"uri"`
		Diagnostics []struct {
			Message string `json:"message"`
			Range   struct {
				Start struct {
					Line int `json:"line"`
				} `json:"start"`
			} `json:"range"`
		} `json:"diagnostics"`
	}
	s.until(func(m message) bool {
		if m.Method != "textDocument/publishDiagnostics" {
			return false
		}
		said.Diagnostics = nil
		s.decode(m.Params, &said)
		return said.URI == uri
	})
	var out []Diagnostic
	for _, d := range said.Diagnostics {
		out = append(out, Diagnostic{d.Range.Start.Line + 1, d.Message})
	}
	return out
}

func (s *Server) uri(name string) string { return "file://" + filepath.Join(s.dir, name) }

// until reads messages, answers the server's own questions, and returns the first message that is wanted.
func (s *Server) until(wanted func(message) bool) message {
	s.t.Helper()
	for {
		m := s.receive()
		switch {
		case wanted(m):
			return m
		case m.Method == "workspace/configuration":
			s.send(message{ID: m.ID, Result: s.configuration(m.Params)})
		case m.Method != "" && m.ID != nil:
			s.send(message{ID: m.ID, Result: []byte("null")})
		}
	}
}

// configuration switches on for YAML what editors do by default.
func (s *Server) configuration(params json.RawMessage) json.RawMessage {
	var asked struct {
		Items []struct {
			Section string `json:"section"`
		} `json:"items"`
	}
	s.decode(params, &asked)
	answers := make([]map[string]bool, len(asked.Items))
	for i, item := range asked.Items {
		answers[i] = map[string]bool{}
		if item.Section == "yaml" {
			answers[i] = map[string]bool{"validate": true, "hover": true, "completion": true}
		}
	}
	return s.encode(answers)
}

func (s *Server) send(m message) {
	s.t.Helper()
	m.Version = "2.0"
	body := s.encode(m)
	if _, err := fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		s.t.Fatal(err)
	}
}

func (s *Server) receive() message {
	s.t.Helper()
	header, err := textproto.NewReader(s.out).ReadMIMEHeader()
	if err != nil {
		s.t.Fatal(err)
	}
	length, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		s.t.Fatal(err)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(s.out, body); err != nil {
		s.t.Fatal(err)
	}
	var m message
	s.decode(body, &m)
	return m
}

func (s *Server) encode(v any) json.RawMessage {
	s.t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	return data
}

func (s *Server) decode(data []byte, into any) {
	s.t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		s.t.Fatal(err)
	}
}
