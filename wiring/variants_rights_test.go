package wiring

var rightsVariants = []variant{
	{rule: "epp-rbac", base: "native", in: "RoleBinding llama-epp", old: "  namespace: llm-d\nroleRef", new: "  namespace: default\nroleRef"},
	{rule: "epp-rbac", base: "native", in: "RoleBinding llama-epp", old: "- kind: ServiceAccount\n  name: llama-epp", new: "- kind: ServiceAccount\n  name: router"},
	{rule: "epp-rbac", base: "native", in: "RoleBinding llama-epp"},
	{rule: "epp-rbac", base: "native", in: "Deployment llama-epp", old: "      serviceAccountName: llama-epp\n", new: ""},
	{rule: "epp-rbac", base: "native", in: "Deployment llama-epp", old: "serviceAccountName: llama-epp", new: "serviceAccountName: llama-epp2"},
	{rule: "workload-selector", base: "native", in: "Deployment llama-decode", old: "      app.kubernetes.io/component: decode\n", new: "      app.kubernetes.io/component: decoder\n"},
	{rule: "pool-namespace", base: "native", in: "Deployment llama-epp", old: "--pool-namespace=llm-d", new: "--pool-namespace=other"},
	{rule: "pool-picker-kind", base: "native", in: "InferencePool llama", old: "kind: Service", new: "kind: Deployment"},
	{rule: "epp-service-selects-nothing", base: "native", in: "Service llama-epp", old: "    app.kubernetes.io/component: epp\n    app.kubernetes.io/instance: llama\n  type", new: "    app.kubernetes.io/component: picker\n    app.kubernetes.io/instance: llama\n  type"},
	{rule: "dangling-reference", base: "native", in: "HTTPRoute llama", old: "group: inference.networking.k8s.io", new: "group: inference.networking.x-k8s.io"},
}
