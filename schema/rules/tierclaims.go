package rules

import (
	"cmp"

	"github.com/inferstack/inferstack/finding"
	"github.com/inferstack/inferstack/schema"
)

// claimsAgree refuses tiers that name one claim and want it to be different: a claim is made
// once.
func (s stack) claimsAgree() (out []schema.Problem) {
	type first struct {
		*schema.SecondaryTier
		path string
	}
	made := map[string]first{}
	for _, o := range s.offloadings() {
		for i := range o.SecondaryTiers {
			t, at := &o.SecondaryTiers[i], finding.Indexed(o.path+".secondaryTiers", i)
			if t.Type != "pvc" || t.ExistingClaim != "" || t.Size == nil || len(o.roles) == 0 {
				continue
			}
			name := cmp.Or(t.Name, s.Metadata.Name+"-"+schema.TierClaim(o.part(), i))
			other, known := made[name]
			if !known {
				made[name] = first{t, at}
				continue
			}
			differs := func(field string, differ bool, own, theirs string) {
				if differ {
					out = append(out, s.Problem(schema.Error, at+"."+field, "must be that of %s, %s: both are the claim %s, which is made once; give it another name (got %s)", schema.Path(other.path), theirs, name, own))
				}
			}
			differs("size", t.Size.Cmp(*other.Size) != 0, t.Size.String(), other.Size.String())
			for _, f := range []struct{ name, own, theirs, absent string }{
				{"storageClassName", t.StorageClassName, other.StorageClassName, "the cluster's default"},
				{"accessMode", t.AccessMode, other.AccessMode, "ReadWriteMany"},
			} {
				own, theirs := cmp.Or(f.own, f.absent), cmp.Or(f.theirs, f.absent)
				differs(f.name, own != theirs, own, theirs)
			}
		}
	}
	return out
}

// part is the role or variant whose own the section is, as it stands in the names of claims.
func (o offloading) part() string {
	if o.path == "spec.kvCache.offload" {
		return ""
	}
	r := o.roles[0]
	part := r.RoleName
	if r.Variant != nil && r.Variant.Offload != nil {
		part += "-" + r.Variant.Name
	}
	return part
}
