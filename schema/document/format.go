package document

import (
	"net/netip"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/inferstack/inferstack/internal/pattern"
)

// FormatFlaw says what a string in a format must be, or "" when it is in it. The
// checks are those of the programs that will read the value.
func FormatFlaw(format, s string) string {
	ok := true
	switch format {
	case "quantity":
		_, err := resource.ParseQuantity(s)
		ok = err == nil
	case "duration":
		// Gateway API duration (GEP-2257): a subset of Go's.
		_, err := time.ParseDuration(s)
		ok = err == nil && pattern.Matches(`^([0-9]{1,5}(h|m|s|ms)){1,4}$`, s)
	case "dns-label":
		ok = validation.IsDNS1123Label(s) == nil
	case "dns-subdomain":
		ok = validation.IsDNS1123Subdomain(s) == nil
	case "label-value":
		ok = validation.IsValidLabelValue(s) == nil
	case "label-key":
		ok = validation.IsQualifiedName(s) == nil
	case "image":
		ok = IsImage(s)
	case "url":
		u, err := url.Parse(s)
		ok = err == nil && u.Scheme != "" && u.Host != ""
	case "cidr":
		_, err := netip.ParsePrefix(s)
		ok = err == nil
	}
	if ok {
		return ""
	}
	return formatWords(format)
}

// formatWords says what a format is.
func formatWords(format string) string {
	switch format {
	case "quantity":
		return "a quantity such as 500m, 4 or 16Gi"
	case "duration":
		return "a duration such as 30s, 5m or 1h30m"
	case "dns-label":
		return "a DNS label: lower case letters, digits and -, at most 63 characters"
	case "dns-subdomain":
		return "a DNS name: labels of lower case letters, digits and -, joined by dots"
	case "label-value":
		return "a label value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends"
	case "label-key":
		return "a label key: a name of at most 63 letters, digits, -, _ and ., optionally after a DNS name and /"
	case "image":
		return "an image reference: registry/repository:tag or @digest"
	case "url":
		return "a URL with scheme and host"
	case "cidr":
		return "an address range such as 10.0.0.0/8"
	}
	return ""
}

// canonicalQuantity is the form in which Kubernetes itself writes a quantity.
func canonicalQuantity(s string) string {
	q, err := resource.ParseQuantity(s)
	if err != nil {
		return s
	}
	return q.String()
}
