package lists

import (
	"slices"
	"strconv"
	"testing"
)

func TestMap(t *testing.T) {
	if got := Map([]int{1, 2}, strconv.Itoa); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("got %q", got)
	}
	if got := Map([]int{}, strconv.Itoa); got != nil {
		t.Errorf("of no items: got %#v, want nil, which encoders leave out", got)
	}
}

func TestWhere(t *testing.T) {
	even := func(n int) bool { return n%2 == 0 }
	items := []int{1, 2, 3, 4}
	if got := Where(items, even); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("got %v", got)
	}
	if !slices.Equal(items, []int{1, 2, 3, 4}) {
		t.Errorf("the items are now %v", items)
	}
	if got := Where([]int{1, 3}, even); got != nil {
		t.Errorf("where none meets: got %#v, want nil", got)
	}
}

func TestFirst(t *testing.T) {
	long := func(s string) bool { return len(s) > 1 }
	if got := First([]string{"a", "bc", "de"}, long); got != "bc" {
		t.Errorf("got %q", got)
	}
	if got := First([]string{"a"}, long); got != "" {
		t.Errorf("where none meets: got %q", got)
	}
}
