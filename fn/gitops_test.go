package fn

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	sigsyaml "sigs.k8s.io/yaml"
)

// gitops is the directory whose roads are tested here.
const gitops = "../examples/gitops"

// repoServer is as much of Argo CD's installation (v3.1.0, manifests/install.yaml) as the
// roads change.
const repoServer = `apiVersion: v1
kind: ConfigMap
metadata:
  name: argocd-cm
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: argocd-repo-server
spec:
  template:
    spec:
      initContainers:
      - name: copyutil
        image: quay.io/argoproj/argocd:v3.1.0
        volumeMounts:
        - {name: var-files, mountPath: /var/run/argocd}
      containers:
      - name: argocd-repo-server
        image: quay.io/argoproj/argocd:v3.1.0
        volumeMounts:
        - {name: tmp, mountPath: /tmp}
        - {name: plugins, mountPath: /home/argocd/cmp-server/plugins}
      volumes:
      - {name: tmp, emptyDir: {}}
      - {name: var-files, emptyDir: {}}
      - {name: plugins, emptyDir: {}}
`

// argoCD builds the installation with a road's component.
func argoCD(t *testing.T, road string) (corev1.ConfigMap, appsv1.Deployment, map[string]map[string]any) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "install"), os.DirFS(filepath.Join(gitops, road, "install"))); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{
		"argocd.yaml":        repoServer,
		"kustomization.yaml": "namespace: argocd\nresources: [argocd.yaml]\ncomponents: [install]\n",
	})
	built, err := kustomizeWith(t, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	all := byID(objectsIn(t, built))
	var config corev1.ConfigMap
	var server appsv1.Deployment
	decode(t, all["v1/ConfigMap/argocd/argocd-cm"], &config)
	decode(t, all["apps/v1/Deployment/argocd/argocd-repo-server"], &server)
	return config, server, all
}

func decode(t *testing.T, from, to any) {
	t.Helper()
	text, err := sigsyaml.Marshal(from)
	if err == nil {
		err = sigsyaml.UnmarshalStrict(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// checkMounts looks for the volume of every mount.
func checkMounts(t *testing.T, pod *corev1.PodSpec) {
	t.Helper()
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
	}
	for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("container %s mounts %s, which is not a volume", c.Name, m.Name)
			}
		}
	}
}

func TestArgoCDPluginInstalls(t *testing.T) {
	config, server, all := argoCD(t, "argocd-plugin")
	pod := &server.Spec.Template.Spec
	checkMounts(t, pod)
	for key := range config.Data {
		if !strings.HasPrefix(key, "resource.customizations.health.") {
			t.Errorf("argocd-cm has %s", key)
		}
	}
	i := slices.IndexFunc(pod.Containers, func(c corev1.Container) bool { return c.Name == "inferstack" })
	sidecar := pod.Containers[i]
	if sidecar.Image != "ghcr.io/inferstack/inferstack-argocd:v1.0.0" || *sidecar.SecurityContext.RunAsUser != 999 || sidecar.Resources.Limits.Memory().IsZero() {
		t.Errorf("image, user or limits are missing: %+v", sidecar)
	}
	tmp := slices.IndexFunc(sidecar.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == "/tmp" })
	if name := sidecar.VolumeMounts[tmp].Name; name == "tmp" {
		t.Error("the sidecar shares /tmp with the repo-server")
	}
	for _, v := range pod.Volumes {
		if v.ConfigMap != nil && all["v1/ConfigMap/argocd/"+v.ConfigMap.Name] == nil {
			t.Errorf("volume %s is of the ConfigMap %s, which is not made", v.Name, v.ConfigMap.Name)
		}
	}
}

func TestArgoCDKustomizeInstalls(t *testing.T) {
	config, server, _ := argoCD(t, "argocd-kustomize")
	checkMounts(t, &server.Spec.Template.Spec)
	if got := config.Data["kustomize.buildOptions"]; got != "--enable-alpha-plugins --enable-exec" {
		t.Errorf("kustomize.buildOptions: %q", got)
	}
}

// TestApplicationsPointAtStacks holds the Applications to the tree they are shown with.
func TestApplicationsPointAtStacks(t *testing.T) {
	var set struct {
		Spec struct {
			Generators []struct {
				Git struct{ Directories []struct{ Path string } }
			}
		}
	}
	road := filepath.Join(gitops, "argocd-kustomize")
	readYAML(t, filepath.Join(road, "applicationset.yaml"), &set)
	dirs, err := filepath.Glob(filepath.Join(road, set.Spec.Generators[0].Git.Directories[0].Path))
	if err != nil || len(dirs) < 2 {
		t.Fatalf("the ApplicationSet finds %v (%v)", dirs, err)
	}
	for _, dir := range dirs {
		got := call(t, "", "render", dir)
		for _, o := range objectsIn(t, got.out) {
			if ns := o["metadata"].(map[string]any)["namespace"]; ns != filepath.Base(dir) {
				t.Errorf("%s: an object is in namespace %v, and the Application deploys to %s", dir, ns, filepath.Base(dir))
			}
		}
	}
}

func readYAML(t *testing.T, path string, to any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = sigsyaml.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}
