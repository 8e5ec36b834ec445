package helm

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/inferstack/inferstack/convert/draft"
)

// overlooked are fields that values of guides have and that never had an effect, each with the
// reason, by the path with [] for every entry of a list and decode for either role.
var overlooked = map[string]map[string]string{
	"llm-d-modelservice": {
		"decode.subGroupExclusiveToplogy":                        "the chart reads subGroupExclusiveTopology",
		"decode.securityContext":                                 "the chart reads podSecurityContext and containers[].securityContext",
		"decode.containers[].device":                             "the chart does not read it",
		"decode.containers[].securityContext.fsGroup":            "a container has none; podSecurityContext has it",
		"decode.containers[].securityContext.supplementalGroups": "a container has none; podSecurityContext has them",
	},
	"llm-d-infra": {
		"auth": "no template of the chart reads it; modelArtifacts.authSecretName of llm-d-modelservice names the Secret with the token",
	},
	poolChart: {
		"inferenceExtension.monitoring.prometheus.enable": "the chart reads enabled",
		"inferenceExtension.monitoring.servicemonitor":    "the chart reads monitoring.prometheus",
		"inferencePool.provider":                          "the chart reads provider at the top of the file",
	},
}

// overlook leaves such fields out of a file, and says so.
func overlook(p *draft.Part, c *chart, n *yaml.Node, path, pattern string) {
	for i := 0; n.Kind == yaml.SequenceNode && i < len(n.Content); i++ {
		overlook(p, c, n.Content[i], fmt.Sprintf("%s[%d]", path, i), pattern+"[]")
	}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); {
		key := n.Content[i].Value
		at, of := strings.TrimPrefix(below(path, key), "."), strings.TrimPrefix(below(pattern, key), ".")
		if why, ok := overlooked[c.name][strings.Replace(of, "prefill.", "decode.", 1)]; ok {
			p.On("", at).Dropped().Warn("left out: it has had no effect, since %s", why)
			n.Content = append(n.Content[:i], n.Content[i+2:]...)
			continue
		}
		overlook(p, c, n.Content[i+1], at, of)
		i += 2
	}
}
