package admission

import (
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A form is what a text must be: upstream's check, and what it asks for.
type form struct {
	flaws func(string) []string
	words string
}

var (
	dnsLabel     = form{validation.IsDNS1123Label, "a DNS label: lower case letters, digits and -, with a letter or digit at both ends, at most 63 characters"}
	dnsSubdomain = form{validation.IsDNS1123Subdomain, "a DNS name: labels of lower case letters, digits and -, joined by dots, at most 253 characters"}
	envName      = form{validation.IsRelaxedEnvVarName, "a name of printable ASCII characters without ="}
	dataKey      = form{validation.IsConfigMapKey, "a key of letters, digits, -, _ and ., at most 253 characters, and neither . nor .. nor anything that begins with .."}
	labelKey     = form{validation.IsQualifiedName, "a name of at most 63 letters, digits, -, _ and ., with a letter or digit at both ends, optionally after a DNS name and /"}
	labelValue   = form{validation.IsValidLabelValue, "at most 63 letters, digits, -, _ and ., with a letter or digit at both ends"}
	portName     = form{validation.IsValidPortName, "a port name: at most 15 lower case letters, digits and single dashes, at least one letter among them, with a letter or digit at both ends"}
	headerName   = form{validation.IsHTTPHeaderName, "a header name of letters, digits, - and _"}
)

// text refuses a text that is not of the form; an empty one is missing.
func (j *judge) text(at *field.Path, value string, f form) {
	if value == "" {
		j.missing(at)
		return
	}
	j.optional(at, value, f)
}

// optional is text for what may be left out.
func (j *judge) optional(at *field.Path, value string, f form) {
	if value != "" && len(f.flaws(value)) > 0 {
		j.bad(at, "must be %s (got %.80q)", f.words, value)
	}
}

func (j *judge) port(at *field.Path, port int32) {
	if len(validation.IsValidPortNum(int(port))) > 0 {
		j.bad(at, "must be a port from 1 to 65535 (got %d)", port)
	}
}

func (j *judge) portOrName(at *field.Path, port intstr.IntOrString) {
	if port.Type == intstr.Int {
		j.port(at, port.IntVal)
	} else {
		j.text(at, port.StrVal, portName)
	}
}

// below refuses a path that leaves the directory it is in.
func (j *judge) below(at *field.Path, p string) {
	if path.IsAbs(p) {
		j.bad(at, "must be a relative path (got %q)", p)
	}
	j.noBacksteps(at, p)
}

func (j *judge) noBacksteps(at *field.Path, p string) {
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			j.bad(at, "must not contain .. (got %q)", p)
			return
		}
	}
}

// file refuses the name of a file that a volume cannot have: the kubelet keeps names with
// two leading dots for itself.
func (j *judge) file(at *field.Path, p string) {
	if p == "" {
		j.missing(at)
		return
	}
	before := len(j.flaws)
	j.below(at, p)
	if len(j.flaws) == before && strings.HasPrefix(p, "..") {
		j.bad(at, "must not begin with .. (got %q)", p)
	}
}

func (j *judge) mode(at *field.Path, mode *int32) {
	if mode != nil && (*mode < 0 || *mode > 0o777) {
		j.bad(at, "must be file permissions from 0 to 0777, in decimal from 0 to 511 (got %d)", *mode)
	}
}

// signerName is the name of a signer of certificates: a DNS name with a dot, a slash and a
// path (kubernetes pkg/apis/core/validation, ValidateSignerName).
var signerName = form{func(s string) []string {
	domain, name, ok := strings.Cut(s, "/")
	if !ok || strings.Contains(name, "/") || !strings.Contains(domain, ".") {
		return []string{"no domain/name"}
	}
	return append(validation.IsDNS1123Subdomain(domain), validation.IsDNS1123Subdomain(name)...)
}, "the name of a signer, such as example.com/signer"}

// bundleName is the name of a ClusterTrustBundle, which may begin with its signer's, the
// slash written as a colon.
var bundleName = form{func(s string) []string {
	if i := strings.LastIndex(s, ":"); i >= 0 {
		if flaws := signerName.flaws(strings.Replace(s[:i], ":", "/", 1)); len(flaws) > 0 {
			return flaws
		}
		s = s[i+1:]
	}
	return validation.IsDNS1123Subdomain(s)
}, "the name of a ClusterTrustBundle"}

// labelKeyFolded is labelKey for annotations, whose names may have capitals.
var labelKeyFolded = form{func(s string) []string { return validation.IsQualifiedName(strings.ToLower(s)) }, labelKey.words}
