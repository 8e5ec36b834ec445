package status

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// stuck are the reasons for which a container waits that do not go away by waiting
// (Kubernetes 1.36 pkg/kubelet/images, pkg/kubelet/container).
var stuck = map[string]bool{
	"CrashLoopBackOff": true, "CreateContainerConfigError": true, "CreateContainerError": true, "ErrImageNeverPull": true,
	"ErrImagePull": true, "ImageInspectError": true, "ImagePullBackOff": true, "InvalidImageName": true, "RunContainerError": true,
}

// pod says of a pod that does not get on what the scheduler or the kubelet says.
func pod(u *unstructured.Unstructured) Verdict {
	phase, _, _ := unstructured.NestedString(u.Object, "status", "phase")
	if phase == "Failed" {
		return ended(u)
	}
	if v, found := containers(u); found {
		return v
	}
	v := general(u)
	if v.State == Ready {
		return v
	}
	if c := conditionOf(u.Object["status"], "PodScheduled"); c != nil && c["status"] == "False" {
		v.Reason = "not scheduled: " + because(c)
	}
	for _, c := range statuses(u) {
		if last := termination(c, "lastState"); last != "" {
			v.Reason += fmt.Sprintf("; container %s ended with %s, restarted %v times", text(c, "name"), last, c["restartCount"])
		}
	}
	return v
}

// ended is the verdict on a pod that runs no more. Where a controller has put another in its
// place, only that one matters.
func ended(u *unstructured.Unstructured) Verdict {
	status, _ := u.Object["status"].(map[string]any)
	var why []string
	if said := because(status); said != "" {
		why = append(why, said)
	}
	for _, c := range statuses(u) {
		if end := termination(c, "state"); end != "" {
			why = append(why, fmt.Sprintf("container %s ended with %s", text(c, "name"), end))
		}
	}
	v := Verdict{Failing, strings.Join(why, "; ")}
	if v.Reason == "" {
		v.Reason = "ended without success"
	}
	if metav1.GetControllerOf(u) != nil {
		v.State = Ready
	}
	return v
}

// containers finds the container that keeps a pod from starting, with what ended it last.
func containers(u *unstructured.Unstructured) (Verdict, bool) {
	for _, c := range statuses(u) {
		waiting, _, _ := unstructured.NestedMap(c, "state", "waiting")
		if stuck[text(waiting, "reason")] {
			reason := fmt.Sprintf("container %s: %s", text(c, "name"), because(waiting))
			if last := termination(c, "lastState"); last != "" {
				reason += "; it ended with " + last
			}
			return Verdict{Failing, reason}, true
		}
		if end := termination(c, "state"); end != "" {
			return Verdict{Failing, fmt.Sprintf("container %s ended with %s", text(c, "name"), end)}, true
		}
	}
	return Verdict{}, false
}

// restarts says of the containers that run how often they had to be started again, and how
// they ended: one that runs out of memory every hour is ready in between.
func restarts(u *unstructured.Unstructured) string {
	var out []string
	for _, c := range statuses(u) {
		running, _, _ := unstructured.NestedMap(c, "state", "running")
		count, _ := c["restartCount"].(int64)
		if running == nil || count == 0 {
			continue
		}
		said := fmt.Sprintf("container %s restarted %d times", text(c, "name"), count)
		if count == 1 {
			said = fmt.Sprintf("container %s restarted once", text(c, "name"))
		}
		if last := termination(c, "lastState"); last != "" {
			said += "; it ended with " + last
		}
		if at, _, _ := unstructured.NestedString(c, "lastState", "terminated", "finishedAt"); at != "" {
			said += ", at " + at
		}
		out = append(out, said)
	}
	return strings.Join(out, "; ")
}

func statuses(u *unstructured.Unstructured) []map[string]any {
	return append(list(u.Object["status"], "initContainerStatuses"), list(u.Object["status"], "containerStatuses")...)
}

// termination is how a container ended, such as OOMKilled; nothing when it did what it was to do.
func termination(container map[string]any, state string) string {
	end, _, _ := unstructured.NestedMap(container, state, "terminated")
	if end == nil || fmt.Sprint(end["exitCode"]) == "0" {
		return ""
	}
	out := fmt.Sprintf("%s, exit code %v", text(end, "reason"), end["exitCode"])
	if message := text(end, "message"); message != "" {
		out += ": " + message
	}
	return out
}
