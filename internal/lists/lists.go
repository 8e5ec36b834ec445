// Package lists has the loops over slices that package slices of the standard library lacks.
package lists

// Map is what f makes of each item. Of none it is nil.
func Map[S ~[]T, T, R any](items S, f func(T) R) []R {
	if len(items) == 0 {
		return nil
	}
	out := make([]R, len(items))
	for i, item := range items {
		out[i] = f(item)
	}
	return out
}

// Where is a list of the items that meet the condition. Where none does it is nil.
func Where[S ~[]T, T any](items S, meets func(T) bool) (out S) {
	for _, item := range items {
		if meets(item) {
			out = append(out, item)
		}
	}
	return out
}

// First is the first item that meets the condition, or nothing.
func First[S ~[]T, T any](items S, meets func(T) bool) (first T) {
	for _, item := range items {
		if meets(item) {
			return item
		}
	}
	return first
}
