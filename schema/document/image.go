package document

import "strings"

// IsImage reports whether s is an image reference to those who will pull it: container
// runtimes and the kubelet parse it with the library distribution/reference (v0.6.0,
// ParseAnyReference). That compiles large regular expressions whenever a program that
// has it starts, so the grammar is spelled out here; a test holds the two together.
func IsImage(s string) bool {
	if isHex(s, 64) || isDigest(s) {
		return true
	}
	domain, remainder := splitDomain(s)
	name, digest, digested := strings.Cut(remainder, "@")
	if digested && !isDigest(digest) {
		return false
	}
	path, tag, tagged := strings.Cut(name, ":")
	if tagged && !isTag(tag) {
		return false
	}
	if !isDomain(domain) {
		path = domain + "/" + path // such as a_b.c/d: not a host, yet a path
	}
	for component := range strings.SplitSeq(path, "/") {
		if !isPathComponent(component) {
			return false
		}
	}
	return len(path) <= 255
}

// splitDomain returns the registry and the rest as the Docker client understands them.
func splitDomain(s string) (domain, remainder string) {
	first, rest, ok := strings.Cut(s, "/")
	switch {
	case !ok:
		return "docker.io", "library/" + s
	case first == "docker.io" || first == "index.docker.io":
		if !strings.Contains(rest, "/") {
			rest = "library/" + rest
		}
		return "docker.io", rest
	case first == "localhost" || strings.ContainsAny(first, ".:") || strings.ToLower(first) != first:
		return first, rest
	}
	return "docker.io", s
}

// isDomain reports whether s is a host name, an IPv4 address or an IPv6 address in
// brackets, with or without a port.
func isDomain(s string) bool {
	host, port, ported := strings.Cut(s, ":")
	if strings.HasPrefix(s, "[") {
		var closed bool
		host, port, closed = strings.Cut(s[1:], "]")
		if !closed || host == "" || !made(host, func(c byte) bool { return hex(c) || c >= 'A' && c <= 'F' || c == ':' }) {
			return false
		}
		if port == "" {
			return true
		}
		if port[0] != ':' {
			return false
		}
		return port != ":" && made(port[1:], digit)
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' ||
			!made(label, func(c byte) bool { return lower(c) || upper(c) || digit(c) || c == '-' }) {
			return false
		}
	}
	return !ported || port != "" && made(port, digit)
}

// isPathComponent reports whether s is letters and digits, joined by a dot, one or two
// underscores or any number of dashes.
func isPathComponent(s string) bool {
	word := func(c byte) bool { return lower(c) || digit(c) }
	if s == "" || !word(s[0]) || !word(s[len(s)-1]) {
		return false
	}
	for i := 0; i < len(s); i++ {
		start := i
		for !word(s[i]) {
			i++ // ends, because the last byte is a word's
		}
		if joint := s[start:i]; joint != "" && joint != "." && joint != "_" && joint != "__" && strings.Trim(joint, "-") != "" {
			return false
		}
	}
	return true
}

func isTag(s string) bool {
	return s != "" && len(s) <= 128 && s[0] != '.' && s[0] != '-' &&
		made(s, func(c byte) bool { return lower(c) || upper(c) || digit(c) || c == '_' || c == '.' || c == '-' })
}

// isDigest knows the algorithms that OCI registers (opencontainers/go-digest v1.0.0).
func isDigest(s string) bool {
	algorithm, encoded, _ := strings.Cut(s, ":")
	switch algorithm {
	case "sha256":
		return isHex(encoded, 64)
	case "sha384":
		return isHex(encoded, 96)
	case "sha512":
		return isHex(encoded, 128)
	}
	return false
}

func isHex(s string, length int) bool { return len(s) == length && made(s, hex) }

// made reports whether every byte of s is in a class.
func made(s string, class func(byte) bool) bool {
	for i := range len(s) {
		if !class(s[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) bool { return c >= 'a' && c <= 'z' }
func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }
func hex(c byte) bool   { return digit(c) || c >= 'a' && c <= 'f' }
