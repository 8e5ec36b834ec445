package modelservice

import (
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/inferstack/inferstack/convert/serving"
	"github.com/inferstack/inferstack/internal/argv"
)

// picker is the EPP.
func (m *service) picker(b *base) {
	m.Set("spec.pool.name", poolName(m.Doc.Name), "")
	epp := b.epp
	if own := m.spec.EndpointPicker; own != nil {
		if epp == nil {
			epp = &appsv1.Deployment{}
		}
		const initFrom = "spec.endpointPicker.initContainers"
		m.Copy("spec.scheduler.replicas", "spec.endpointPicker.replicas")
		epp.Spec.Template.Spec.Containers = m.merge(epp.Spec.Template.Spec.Containers, own.Containers, "spec.endpointPicker.containers")
		epp.Spec.Template.Spec.InitContainers = m.merge(epp.Spec.Template.Spec.InitContainers, own.InitContainers, initFrom)
	}
	if epp != nil {
		m.eppDeployment(epp)
		m.eppPod(epp.Spec.Template.Spec.DeepCopy())
	}
	if b.eppService != nil {
		m.eppService(b.eppService)
	}
}

func (m *service) eppPod(pod *corev1.PodSpec) {
	const to = "spec.scheduler"
	i := max(0, slices.IndexFunc(pod.Containers, func(c corev1.Container) bool { return c.Name == "epp" }))
	if i >= len(pod.Containers) {
		pod.Containers = []corev1.Container{{Name: "epp"}}
	}
	c := &pod.Containers[i]
	if c.Name != "epp" {
		m.On(to, fromBase).Note("the container %s of eppDeployment is called epp in every stack", c.Name)
	}
	from := m.pickerFrom("args")
	if c.Image != "" && serving.EPPImage(m.Part, c.Image, m.pickerFrom("image")) {
		m.oldStart(c)
	}
	serving.EPPFlags(m.Part, c.Args, from)
	serving.Resources(m.Part, to+".resources", fromBase, c.Resources)
	m.eppEnv(c.Env)
	if own := pod.InitContainers; len(own) > 0 {
		m.Set(to+".initContainers", own, fromBase)
	}
	if others := slices.Delete(slices.Clone(pod.Containers), i, i+1); len(others) > 0 {
		m.Set(to+".containers", others, fromBase)
	}
	m.eppFields(pod, c)
	m.eppRest(pod, c)
}

// pickerFrom is where the ModelService itself says something of the EPP's container, or
// else the base configuration.
func (m *service) pickerFrom(field string) string {
	const from = "spec.endpointPicker.containers"
	if own := m.spec.EndpointPicker; own != nil {
		for i := range own.Containers {
			if at := from + "[" + strconv.Itoa(i) + "]." + field; m.Doc.Has(at) {
				return at
			}
		}
	}
	return fromBase
}

// lasting are flags that every EPP has had, or that a stack has a field for.
var lasting = []string{"v", "secure-serving", "secureServing", "metrics-endpoint-auth"}

// oldStart leaves out how an EPP was started that another one takes the place of: its
// command, and the flags that follow from other fields or are none of the new EPP's.
func (m *service) oldStart(c *corev1.Container) {
	if len(c.Command) > 0 {
		m.On("spec.scheduler", m.pickerFrom("command")).Dropped().Warn("%s is left out: it starts the old image, and the new one has a command of its own", strings.Join(c.Command, " "))
		c.Command = nil
	}
	var kept, old []string
	for f := range argv.Of(c.Args) {
		name := f.Flag()
		if slices.Contains(lasting, name) || serving.Wired(name) {
			kept = append(kept, f.Words...)
			continue
		}
		old = append(old, f.Name)
	}
	if len(old) > 0 {
		m.On("spec.scheduler", m.pickerFrom("args")).Dropped().Warn("%s: left out with the old image", strings.Join(old, ", "))
	}
	c.Args = kept
}

// eppEnv goes over, except what the EPP of that time read as its configuration
// (llm-d-inference-scheduler 0.0.4, pkg/config). Today's reads a file.
func (m *service) eppEnv(env []corev1.EnvVar) {
	var rest []corev1.EnvVar
	var old []string
	for _, e := range env {
		switch {
		case e.Name == "HF_TOKEN":
			if ref := e.ValueFrom; ref != nil && ref.SecretKeyRef != nil && !m.Has("spec.model.tokenSecret") {
				m.Set("spec.model.tokenSecret.name", ref.SecretKeyRef.Name, fromBase)
				m.Set("spec.model.tokenSecret.key", ref.SecretKeyRef.Key, fromBase)
			}
		case e.Name == "PD_PROMPT_LEN_THRESHOLD" && m.spec.Prefill != nil:
			if n, err := strconv.Atoi(e.Value); err == nil {
				m.Set("spec.scheduler.disaggregation.nonCachedTokens", n, fromBase)
				m.On("spec.scheduler.disaggregation", fromBase).Note("PD_PROMPT_LEN_THRESHOLD counted characters of the prompt; now these are tokens that are not cached")
			}
		case oldSetting(e.Name):
			old = append(old, e.Name)
		default:
			rest = append(rest, e)
		}
	}
	if len(rest) > 0 {
		m.Set("spec.scheduler.env", rest, fromBase)
	}
	if len(old) > 0 {
		m.On("spec.scheduler", fromBase).Warn("%s configured the EPP of that time, which reads them no more; scheduler.preset or scheduler.scorers takes their place", strings.Join(old, ", "))
	}
}

func oldSetting(name string) bool {
	return strings.HasPrefix(name, "PD_") || strings.HasPrefix(name, "KVCACHE_INDEXER_") ||
		(strings.HasPrefix(name, "ENABLE_") || strings.HasPrefix(name, "PREFILL_ENABLE_")) && strings.HasSuffix(name, "_SCORER") ||
		strings.HasSuffix(name, "_SCORER_WEIGHT")
}
