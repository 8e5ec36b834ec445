package schema

import "k8s.io/apimachinery/pkg/util/intstr"

// RolloutBounds returns how many servers of the role may be above and below the wanted
// number while they are replaced; both are nil where the workload's own bounds hold.
func (r *Role) RolloutBounds(accelerated bool) (surge, unavailable *intstr.IntOrString) {
	surge, unavailable = r.Rollout.MaxSurge, r.Rollout.MaxUnavailable
	if !accelerated && surge == nil && unavailable == nil {
		return nil, nil
	}
	none, one := intstr.FromInt32(0), intstr.FromInt32(1)
	if unavailable == nil {
		unavailable = &none
		if surge == nil || isZero(surge) {
			unavailable = &one
		}
	}
	if surge == nil {
		surge = &none
		if isZero(unavailable) {
			surge = &one
		}
	}
	return surge, unavailable
}

// Stuck reports whether no server could be replaced within the bounds.
func (r *Rollout) Stuck() bool {
	return r.MaxSurge != nil && r.MaxUnavailable != nil && isZero(r.MaxSurge) && isZero(r.MaxUnavailable)
}

func isZero(v *intstr.IntOrString) bool {
	n, err := intstr.GetScaledValueFromIntOrPercent(v, 100, true)
	return err == nil && n == 0
}
