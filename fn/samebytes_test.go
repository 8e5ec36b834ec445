//go:build linux

package fn

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferstack/inferstack/internal/long"
)

// TestSameBytes runs the program a hundred times in different surroundings.
func TestSameBytes(t *testing.T) {
	second := strings.Replace(larger, "name: llama", "name: qwen", 1)
	input := resources("", small, foreign, second)
	want := ""
	for i := range long.Of(100, 8) {
		cmd := exec.Command(binary(t))
		cmd.Dir = []string{t.TempDir(), "/", filepath.Dir(binary(t))}[i%3]
		cmd.Stdin = strings.NewReader(input)
		cmd.Env = []string{
			fmt.Sprintf("GOMAXPROCS=%d", []int{1, 2, 8}[i%3]),
			"TZ=" + []string{"", "UTC", "Asia/Kathmandu", "Pacific/Kiritimati"}[i%4],
			"LC_ALL=" + []string{"C", "tr_TR.UTF-8", "zh_CN.GB18030", "", "ar_SA.UTF-8"}[i%5],
		}
		if i%2 == 0 {
			cmd.Env = append(cmd.Env, "HOME="+cmd.Dir, "USER=somebody", "TMPDIR=/nonexistent")
		}
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(out)
		}
		if want != string(out) {
			t.Fatalf("run %d with %v in %s:\n%s", i, cmd.Env, cmd.Dir, cmp.Diff(want, string(out)))
		}
	}
}

// TestSameBytesInAnyOrder permutes the items: each comes out as it went in and in its
// place, and what is made of them is the same in the same order.
func TestSameBytesInAnyOrder(t *testing.T) {
	items := []string{inFile(small, "a.yaml"), inFile(strings.Replace(larger, "name: llama", "name: qwen", 1), "b.yaml"), foreign}
	var want []string
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		var in []string
		for _, i := range order {
			in = append(in, items[i])
		}
		got := call(t, resources("", in...))
		if got.code != exitOK {
			t.Fatal(got.errors)
		}
		var kept, made []string
		for _, item := range parseList(t, got.out).Items {
			text := fmt.Sprint(item)
			if annotationsOf(item)[generatedBy] != nil {
				made = append(made, text)
			} else {
				kept = append(kept, fmt.Sprint(item["metadata"].(map[string]any)["name"]))
			}
		}
		if want == nil {
			want = made
		}
		if diff := cmp.Diff(want, made); diff != "" {
			t.Errorf("%v:\n%s", order, diff)
		}
		names := []string{"llama", "qwen", fmt.Sprint(objectsIn(t, foreign)[0]["metadata"].(map[string]any)["name"])}
		if !slices.Equal(kept, []string{names[order[0]], names[order[1]], names[order[2]]}) {
			t.Errorf("%v: kept %v", order, kept)
		}
	}
}
