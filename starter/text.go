package starter

// stack is the text of a start: what most people change first is there, or there as a
// comment.
const stack = `# What a field means: inferstack explain spec.decode
# What this becomes:  inferstack render FILE
apiVersion: inferstack.dev/v1alpha1
kind: InferenceStack
metadata:
  name: {{scalar .Name}}
{{- if .Namespace}}
  namespace: {{scalar .Namespace}}
{{- end}}
spec:
{{- if .Release}}
  # Where images, flags and plugin names are from.
  release: {{scalar .Release}}
{{- end}}
  model:
    name: {{scalar .Model}}
{{- if not .Simulator}}
    # A gated model needs a token, kept in a Secret:
    # tokenSecret:
    #   name: hf-token
    # Pods load the weights anew at each start, unless a volume keeps them:
    # storage:
    #   type: pvc
    #   size: 100Gi
{{- end}}
{{- if .Simulator}}
  server:
    # Answers like vLLM, but makes the text up. Without the section server the model itself is served.
    engine: simulator
{{- end}}
{{- if .Engine}}{{- if not .Simulator}}
  server:
    # What serves the model; vllm when it is left out.
    engine: {{scalar .Engine}}
{{- end}}{{- end}}
  decode:
    replicas: 2
{{- if not .Simulator}}
    parallelism:
      # Accelerators that share one copy of the model.
      tensor: 1
{{- end}}
{{- if .Prefill}}
  # Servers of their own for the prompts.
  prefill:
    replicas: 1
{{- if not .Simulator}}
    parallelism:
      tensor: 1
{{- end}}
{{- end}}
{{- if .Encode}}
  # Servers of their own for images and other media.
  encode:
    replicas: 1
{{- end}}
{{- if .Preset}}
  scheduler:
    # How the endpoint picker chooses a server.
    preset: {{scalar .Preset}}
{{- if eq .Preset "predicted-latency"}}
    # The servers that learn and predict latencies, beside the endpoint picker.
    latencyPredictor: {}
{{- end}}
{{- end}}
{{- if .OpenShift}}
  security:
    # OpenShift assigns users and groups from the range of the namespace.
    platformIDs: true
{{- end}}
{{- if ne .Gateway "none"}}
  gateway:
{{- if eq .Gateway "envoy"}}
    # A proxy of the stack's own; the cluster needs no gateway controller.
{{- else}}
    # Its controller must be in the cluster; class envoy needs none.
{{- end}}
    class: {{scalar .Gateway}}
{{- end}}
`
