package serverside

import (
	"reflect"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestWithout has what a file says beside what kubectl get prints of it.
func TestWithout(t *testing.T) {
	for name, c := range map[string]struct{ file, cluster string }{
		"metadata": {
			"{kind: ConfigMap, metadata: {name: a}}",
			"{kind: ConfigMap, metadata: {name: a, uid: u, resourceVersion: '1', generation: 2, creationTimestamp: now, selfLink: x, managedFields: [{}], ownerReferences: [{}], annotations: {kubectl.kubernetes.io/last-applied-configuration: x}}}",
		},
		"deployment": {
			"{kind: Deployment, metadata: {name: a}, spec: {replicas: 2, template: {metadata: {}, spec: {serviceAccountName: s, containers: [{name: c, image: 'a/b:1', ports: [{containerPort: 1}], livenessProbe: {httpGet: {port: 1}}}], volumes: [{name: v, secret: {secretName: s}}]}}}}",
			"{kind: Deployment, metadata: {name: a, annotations: {deployment.kubernetes.io/revision: '3'}}, status: {replicas: 2}, spec: {replicas: 2, progressDeadlineSeconds: 600, revisionHistoryLimit: 10, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}," +
				" template: {metadata: {creationTimestamp: null, annotations: {kubectl.kubernetes.io/restartedAt: now}}, spec: {serviceAccountName: s, serviceAccount: s, restartPolicy: Always, dnsPolicy: ClusterFirst, schedulerName: default-scheduler, securityContext: {}, terminationGracePeriodSeconds: 30," +
				" containers: [{name: c, image: 'a/b:1', imagePullPolicy: IfNotPresent, resources: {}, terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File, ports: [{containerPort: 1, protocol: TCP}], livenessProbe: {httpGet: {port: 1, path: /, scheme: HTTP}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}}]," +
				" volumes: [{name: v, secret: {secretName: s, defaultMode: 420}}]}}}}",
		},
		"service": {
			"{kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}]}}",
			"{kind: Service, metadata: {name: a}, spec: {clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, internalTrafficPolicy: Cluster, sessionAffinity: None, type: ClusterIP, ports: [{port: 80, protocol: TCP, targetPort: 80, nodePort: 30000}]}}",
		},
		"without an address": {
			"{kind: Service, metadata: {name: a}, spec: {clusterIP: None}}",
			"{kind: Service, metadata: {name: a}, spec: {clusterIP: None, clusterIPs: [None]}}",
		},
		"pool": {
			"{kind: InferencePool, metadata: {name: a}, spec: {endpointPickerRef: {name: e, port: {number: 9002}}}}",
			"{kind: InferencePool, metadata: {name: a}, spec: {endpointPickerRef: {group: '', kind: Service, name: e, port: {number: 9002}, failureMode: FailClose}}}",
		},
		"route": {
			"{kind: HTTPRoute, metadata: {name: a}, spec: {parentRefs: [{name: g}], rules: [{backendRefs: [{name: s}]}]}}",
			"{kind: HTTPRoute, metadata: {name: a}, spec: {parentRefs: [{name: g, group: gateway.networking.k8s.io, kind: Gateway}], rules: [{matches: [{path: {type: PathPrefix, value: /}}], backendRefs: [{group: '', kind: Service, name: s, weight: 1}]}]}}",
		},
		"group": {
			"{kind: LeaderWorkerSet, metadata: {name: a}, spec: {leaderWorkerTemplate: {size: 2}}}",
			"{kind: LeaderWorkerSet, metadata: {name: a}, spec: {startupPolicy: LeaderCreated, networkConfig: {subdomainPolicy: Shared}, rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {maxSurge: 0, maxUnavailable: 1, partition: 0}}, leaderWorkerTemplate: {size: 2, restartPolicy: RecreateGroupOnPodRestart, workerTemplate: {metadata: {}}}}}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			read := func(text string) map[string]any {
				var o map[string]any
				if err := yaml.Unmarshal([]byte(text), &o); err != nil {
					t.Fatal(err)
				}
				return Without(o)
			}
			file, cluster := read(c.file), read(c.cluster)
			if name == "without an address" {
				delete(cluster["spec"].(map[string]any), "clusterIPs")
			}
			if name == "group" {
				delete(cluster["spec"].(map[string]any)["leaderWorkerTemplate"].(map[string]any), "workerTemplate")
			}
			if !reflect.DeepEqual(file, cluster) {
				t.Errorf("differ:\n%v\n%v", file, cluster)
			}
		})
	}
}

// TestKept has values that are no defaults.
func TestKept(t *testing.T) {
	for _, text := range []string{
		"{kind: Deployment, spec: {template: {spec: {terminationGracePeriodSeconds: 60, containers: [{image: a, imagePullPolicy: IfNotPresent}, {image: 'a:1', imagePullPolicy: Always}]}}}}",
		"{kind: Service, spec: {type: NodePort, ports: [{port: 80, targetPort: 8080}]}}",
		"{kind: InferencePool, spec: {endpointPickerRef: {failureMode: FailOpen}}}",
		"{kind: Deployment, spec: {replicas: 1, template: {spec: {volumes: [{emptyDir: {}}]}}}}",
	} {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(text), &o); err != nil {
			t.Fatal(err)
		}
		if got := Without(o); !reflect.DeepEqual(got, o) {
			t.Errorf("changed:\n%v\n%v", o, got)
		}
	}
}
