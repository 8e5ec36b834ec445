// Package near finds the name that a wrong one was most likely meant to be.
package near

import "strings"

// Of is the known name that a wrong one was most likely meant to be, or "".
func Of(wrong string, known []string) string {
	best, least := "", max(1, len(wrong)/3)+1
	for _, k := range known {
		if strings.EqualFold(wrong, k) {
			return k
		}
		if d := distance(strings.ToLower(wrong), strings.ToLower(k), least); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is the number of letters to insert, remove, replace or swap with a
// neighbour (optimal string alignment), or limit when it is not below that.
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 || max(len(a), len(b))-min(len(a), len(b)) >= limit {
		return limit
	}
	var rows [3][65]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	before, last, row := &rows[2], &rows[0], &rows[1]
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}
