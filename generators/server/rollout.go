package server

import (
	appsv1 "k8s.io/api/apps/v1"
	lwsv1 "sigs.k8s.io/lws/api/leaderworkerset/v1"
)

// strategy is how the pods of a Deployment are replaced.
func (s server) strategy() appsv1.DeploymentStrategy {
	if s.Own.Rollout.Type == "Recreate" {
		return appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	}
	surge, unavailable := s.Own.RolloutBounds(s.acceleratorCount() > 0)
	if surge == nil {
		return appsv1.DeploymentStrategy{}
	}
	return appsv1.DeploymentStrategy{
		Type:          appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: new(*unavailable), MaxSurge: new(*surge)},
	}
}

// groupStrategy is how the groups of a LeaderWorkerSet are replaced.
func (s server) groupStrategy() lwsv1.RolloutStrategy {
	strategy := lwsv1.RolloutStrategy{Type: lwsv1.RollingUpdateStrategyType}
	surge, unavailable := s.Own.RolloutBounds(s.acceleratorCount() > 0)
	if surge == nil && s.Own.Rollout.Partition == nil {
		return strategy
	}
	update := &lwsv1.RollingUpdateConfiguration{}
	if surge != nil {
		update.MaxUnavailable, update.MaxSurge = *unavailable, *surge
	}
	if p := s.Own.Rollout.Partition; p != nil {
		update.Partition = new(*p)
	}
	strategy.RollingUpdateConfiguration = update
	return strategy
}
