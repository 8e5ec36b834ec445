package stacktest

// Has reports whether labels hold everything that is wanted, which is something.
func Has(labels, want map[string]string) bool {
	for k, v := range want {
		if labels[k] != v {
			return false
		}
	}
	return len(want) > 0
}
