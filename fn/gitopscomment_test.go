package fn

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inferstack/inferstack/internal/long"
)

// fakes stand in for gh and curl: they note how they are called and what is posted, and
// answer the question for comments with what is in comments.json. gh runs --jq with jq.
var fakes = map[string]string{
	"gh": `#!/bin/sh
printf '%s\n' "$*" >> "$FAKE/calls"
while [ $# -gt 0 ]; do
  case "$1" in
  --jq) jq -r "$2" "$FAKE/comments.json" ;;
  --field) cp "${2#body=@}" "$FAKE/posted" ;;
  esac
  shift
done
`,
	"curl": `#!/bin/sh
printf '%s\n' "$*" >> "$FAKE/calls"
case "$*" in
*--data-urlencode*) for last; do :; done; cp "${last#body@}" "$FAKE/posted" ;;
*) cat "$FAKE/comments.json" ;;
esac
`,
}

// fake is a directory with the fakes, to be named by FAKE.
func fake(t *testing.T, comments string) string {
	t.Helper()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"comments.json": comments})
	for name, script := range fakes {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// checkComment looks for what the change does to the objects, and for nothing else.
func checkComment(t *testing.T, comment string) {
	t.Helper()
	if !strings.HasPrefix(comment, "<!-- inferstack diff -->\n**") {
		t.Errorf("the comment begins with %.60q", comment)
	}
	for _, want := range []string{"`Deployment inference/llama-decode`", "@@ spec.replicas @@\n  - 1\n  + 7\n", "- `Deployment inference/other-decode`"} {
		if !strings.Contains(comment, want) {
			t.Errorf("the comment lacks %q", want)
		}
	}
	if strings.Contains(comment, "llama-epp") {
		t.Error("the comment has an object that did not change")
	}
}

// githubJob runs the steps of the workflow that need no network, and returns the names of
// those that ran.
func githubJob(t *testing.T, env []string, tamper func(step, dir, temp string)) string {
	t.Helper()
	var workflow struct {
		Defaults struct{ Run struct{ Shell string } }
		Jobs     map[string]struct {
			Env         map[string]string
			Permissions map[string]string
			Steps       []struct{ Name, Run string }
		}
	}
	readYAML(t, filepath.Join(gitops, "github-actions/stacks.yaml"), &workflow)
	dir, temp := t.TempDir(), t.TempDir()
	job := workflow.Jobs["stacks"]
	if workflow.Defaults.Run.Shell != "bash" || len(job.Permissions) != 2 || job.Permissions["contents"] != "read" {
		t.Errorf("shell %q, permissions %v", workflow.Defaults.Run.Shell, job.Permissions)
	}
	env = append(env,
		"RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary.md"), "STACKS="+job.Env["STACKS"], "BASE="+history(t, dir),
		"GITHUB_REPOSITORY=team/stacks", "PR=7", "GITHUB_SERVER_URL=https://github.com", "GITHUB_RUN_ID=99")
	ran := ""
	for _, step := range job.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %s pastes an expression into a script", step.Name)
		}
		if step.Run == "" || step.Name == "install" {
			continue
		}
		tamper(step.Name, dir, temp)
		sh(t, dir, step.Run, env)
		ran += step.Name + " "
	}
	return ran
}

func TestGitHubActionsSteps(t *testing.T) {
	const edit = "api --method PATCH repos/team/stacks/issues/comments/12 "
	const post = "api --method POST repos/team/stacks/issues/7/comments "
	marked := `"body": "<!-- inferstack diff -->\nold", "user": {"login": `
	for i, tt := range []struct{ name, comments, call string }{
		{"first", `[]`, post},
		{"of another workflow and of a person", `[{"id": 10, "body": "x", "user": {"login": "github-actions[bot]"}}, {"id": 11, ` + marked + `"eve"}}]`, post},
		{"again", `[{"id": 11, ` + marked + `"eve"}}, {"id": 12, ` + marked + `"github-actions[bot]"}}, {"id": 13, ` + marked + `"github-actions[bot]"}}]`, edit},
	} {
		if !long.Part(i+1, 3) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			gh := fake(t, tt.comments)
			ran := githubJob(t, []string{"FAKE=" + gh}, func(step, dir, temp string) {
				if step != "check" {
					return
				}
				checkComment(t, "<!-- inferstack diff -->\n"+readText(t, filepath.Join(temp, "summary.md")))
				if list := readText(t, filepath.Join(temp, "rendered/kustomization.yaml")); !strings.Contains(list, "deployment_other-decode.yaml") {
					t.Errorf("rendered: %s", list)
				}
			})
			if ran != "render diff comment check " {
				t.Errorf("ran %s", ran)
			}
			checkComment(t, readText(t, filepath.Join(gh, "posted")))
			if calls := strings.Split(readText(t, filepath.Join(gh, "calls")), "\n"); !strings.HasPrefix(calls[1], tt.call) {
				t.Errorf("called %s", calls)
			}
		})
	}
}

// TestGitHubActionsLongComment has a difference that is longer than a comment may be.
func TestGitHubActionsLongComment(t *testing.T) {
	gh := fake(t, `[]`)
	githubJob(t, []string{"FAKE=" + gh}, func(step, _, temp string) {
		if step == "comment" {
			write(t, temp, map[string]string{"diff.md": "**9 objects differ**\n" + strings.Repeat("- `x`\n", 20000)})
		}
	})
	want := "<!-- inferstack diff -->\n**9 objects differ**\n\nThe whole is in the [summary of the run](https://github.com/team/stacks/actions/runs/99).\n"
	if got := readText(t, filepath.Join(gh, "posted")); got != want {
		t.Error(got)
	}
}

func TestGitLabScript(t *testing.T) {
	var pipeline map[string]struct {
		Variables map[string]string
		Script    []string
	}
	readYAML(t, filepath.Join(gitops, "gitlab-ci/.gitlab-ci.yml"), &pipeline)
	job := pipeline["stacks"]
	const notes = "https://git.example.com/api/v4/projects/3/merge_requests/7/notes"
	const marked = `"system": false, "body": "<!-- inferstack diff -->\nold"}`
	for i, tt := range []struct{ name, comments, call string }{
		{"first", `[]`, "--request POST " + notes + " "},
		{"beside others", `[{"id": 1, "system": true, "body": "approved"}, {"id": 2, "system": false, "body": "x"}]`, "--request POST " + notes + " "},
		{"again", `[{"id": 2, "system": false, "body": "x"}, {"id": 3, ` + marked + `, {"id": 4, ` + marked + `]`, "--request PUT " + notes + "/3 "},
	} {
		if !long.Part(i+1, 3) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			dir, curl := t.TempDir(), fake(t, tt.comments)
			env := []string{
				"FAKE=" + curl, "STACKS=" + job.Variables["STACKS"], "CI_MERGE_REQUEST_DIFF_BASE_SHA=" + history(t, dir), "INFERSTACK_TOKEN=secret",
				"CI_API_V4_URL=https://git.example.com/api/v4", "CI_PROJECT_ID=3", "CI_MERGE_REQUEST_IID=7",
			}
			sh(t, dir, strings.Join(job.Script, "\n"), env)
			checkComment(t, readText(t, filepath.Join(curl, "posted")))
			calls := readText(t, filepath.Join(curl, "calls"))
			if list := strings.Split(calls, "\n"); !strings.Contains(list[1], tt.call) || strings.Count(calls, "--header PRIVATE-TOKEN: secret ") != 2 {
				t.Errorf("called %s", calls)
			}
			readText(t, filepath.Join(dir, "rendered/deployment_other-decode.yaml"))

			// A merge request from a fork has no token, and shows the difference in its log.
			log := sh(t, dir, strings.Join(job.Script, "\n"), slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, "INFERSTACK_TOKEN=") }))
			if !strings.Contains(log, "@@ spec.replicas @@") || readText(t, filepath.Join(curl, "calls")) != calls {
				t.Errorf("without a token: %s", log)
			}
		})
	}
}

// TestGitLabScriptFailsOnMistakes: what cannot be compared fails the job, and nothing is posted.
func TestGitLabScriptFailsOnMistakes(t *testing.T) {
	var pipeline map[string]struct{ Script []string }
	readYAML(t, filepath.Join(gitops, "gitlab-ci/.gitlab-ci.yml"), &pipeline)
	dir, curl := t.TempDir(), fake(t, `[]`)
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", strings.Join(pipeline["stacks"].Script, "\n"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "FAKE="+curl, "STACKS=stacks", "CI_MERGE_REQUEST_DIFF_BASE_SHA=abcdef", "INFERSTACK_TOKEN=secret",
		"PATH="+curl+":"+filepath.Dir(binary(t))+":"+os.Getenv("PATH"))
	history(t, dir)
	out, err := cmd.CombinedOutput()
	if _, called := os.Stat(filepath.Join(curl, "calls")); err == nil || called == nil || !strings.Contains(string(out), "git:abcdef") {
		t.Errorf("%v\n%s", err, out)
	}
}
