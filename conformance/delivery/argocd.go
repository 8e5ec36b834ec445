package delivery

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/inferstack/inferstack/conformance/assets"
)

// PluginServer is Argo CD's sidecar with a plugin.
type PluginServer struct {
	binary, socket string
	log            *bytes.Buffer
}

// PluginAnswer is what the plugin says of one application.
type PluginAnswer struct {
	Discovery, Supported bool
	Parameters           []PluginParameter
	Manifests            []string
}

// PluginParameter is a parameter that the plugin announces.
type PluginParameter struct {
	Name, Title, Tooltip, ItemType, CollectionType, String string
	Array                                                  []string
}

// Application is one of a repository, with its spec.source.plugin.parameters as JSON.
type Application struct{ Repository, Folder, Parameters string }

// ServePlugin serves a plugin.yaml as Argo CD's sidecar does. path is put before the server's PATH: it has the plugin's
// program, as the sidecar's image has.
func ServePlugin(t testing.TB, plugin, path string) *PluginServer {
	t.Helper()
	config, sockets := t.TempDir(), socketDir(t)
	content, err := os.ReadFile(plugin)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "plugin.yaml"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	s := &PluginServer{binary: assets.Binary(t, "argocd-cmp-server"), log: &bytes.Buffer{}}
	server := exec.Command(s.binary, "--config-dir-path", config)
	server.Env = append(os.Environ(), "PATH="+path+":"+os.Getenv("PATH"),
		"ARGOCD_PLUGINSOCKFILEPATH="+sockets, "ARGOCD_CMP_WORKDIR="+t.TempDir())
	server.Stdout, server.Stderr = s.log, s.log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	// Without spec.version the plugin's name alone is the socket's.
	if s.socket = awaitSocket(filepath.Join(sockets, "inferstack.sock")); s.socket == "" {
		server.Process.Kill()
		server.Wait()
		t.Fatalf("argocd-cmp-server opens no socket\n%s", s.log.String())
	}
	return s
}

// Ask streams an application's folder of the repository to the plugin.
func (s *PluginServer) Ask(t testing.TB, a Application) (PluginAnswer, error) {
	t.Helper()
	client := exec.CommandContext(t.Context(), s.binary, "ask", s.socket, a.Repository, a.Folder, cmp.Or(a.Parameters, "[]"))
	var out, stderr bytes.Buffer
	client.Stdout, client.Stderr = &out, &stderr
	var answer PluginAnswer
	if err := client.Run(); err != nil {
		return answer, &pluginError{err, stderr.String()}
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	return answer, nil
}

// pluginError is what Argo CD would show in the Application.
type pluginError struct {
	err  error
	said string
}

func (e *pluginError) Error() string { return e.err.Error() + "\n" + e.said }

// socketDir is a folder with a short name: a socket's path has room for about a hundred bytes.
func socketDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cmp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func awaitSocket(path string) string {
	for range 300 {
		if _, err := os.Stat(path); err == nil {
			return path
		}
		time.Sleep(100 * time.Millisecond)
	}
	return ""
}
