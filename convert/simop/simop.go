package simop

import (
	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/release"
	"github.com/inferstack/inferstack/schema/document"
)

// APIVersion is that of both kinds.
const APIVersion = "sim.llm-d.io/v1alpha1"

// The kinds of the operator.
const (
	KindSimulator = "SimulatorDeployment"
	KindInstall   = "SchedulerInstall"
)

// Convert turns the operator's resources into drafts. A SchedulerInstall and the first
// SimulatorDeployment in its simulatorNamespace become one; the further ones are servers
// of the same pool.
func Convert(docs []document.Document, lossy bool) (drafts []*draft.Draft) {
	all, gateways := groups(docs), fronts{}
	for _, group := range all {
		if group.install != nil {
			drafts = append(drafts, group.convert(gateways, lossy))
			continue
		}
		d := draft.New(group.simulators[0], lossy)
		if sim, ok := readSimulator(d, group.simulators[0]); ok {
			sim.nth = group.nth
			sim.convert()
		}
		drafts = append(drafts, d)
	}
	for _, group := range all {
		if group.install != nil {
			drafts = append(drafts, group.further(lossy)...)
		}
	}
	return drafts
}

// convert converts a SchedulerInstall, with the first SimulatorDeployment beside it.
func (g *group) convert(gateways fronts, lossy bool) *draft.Draft {
	var in SchedulerInstall
	problems := document.Decode(*g.install, &in)
	d := draft.New(*g.install, lossy)
	if len(g.simulators) > 0 {
		d = draft.New(g.simulators[0], lossy)
	}
	d.Decoded(problems)
	p := d.Part(*g.install)
	install := &install{Part: p, spec: &in.Spec, several: len(g.simulators) > 1, fronts: gateways}
	if in.Spec.SimulatorNamespace == "" {
		p.On("", "spec").Fail("simulatorNamespace is required: it says where the servers and their pool are")
	}
	if len(g.simulators) > 0 {
		if sim, ok := readSimulator(d, g.simulators[0]); ok {
			sim.install, install.sim, install.simDoc = &in.Spec, sim.spec, g.simulators[0]
			sim.convert()
		}
	}
	install.convert()
	g.first = d
	return d
}

// further are the other SimulatorDeployments of the same namespace: servers alone, which
// the SchedulerInstall's pool and Service select too.
func (g *group) further(lossy bool) (drafts []*draft.Draft) {
	for i := 1; i < len(g.simulators); i++ {
		d := draft.New(g.simulators[i], lossy)
		if sim, ok := readSimulator(d, g.simulators[i]); ok {
			sim.nth, sim.served = i, true
			sim.convert()
			g.samePort(sim)
			g.sameRelease(sim)
		}
		drafts = append(drafts, d)
	}
	return drafts
}

// samePort refuses servers that the first one's pool would ask on a port they do not
// have.
func (g *group) samePort(sim *simulator) {
	if want, port := g.first.Text("spec.server.port"), sim.Text("spec.server.port"); port != want {
		from := "spec.service.port"
		if sim.staged() {
			from = "spec.decode.port"
		}
		sim.Lost(from, "the SchedulerInstall's pool reaches all servers of the namespace on one port, %s", want)
	}
}

// sameRelease gives servers whose image does not say their release line that of the EPP
// that chooses among them.
func (g *group) sameRelease(sim *simulator) {
	const to = "spec.release"
	epp, own := draft.Unless(g.first.Text(to), release.Default), sim.Text(to)
	switch {
	case own == "":
		sim.Set(to, epp, "")
		if epp != release.Default {
			sim.On(to, "metadata.name").Note("release line %s, as the SchedulerInstall that leads to these servers", epp)
		}
	case own != epp:
		_, from := sim.image()
		sim.On(to, from).Warn("these servers are of release line %s and the EPP of the SchedulerInstall of %s: it knows some of their metrics by other names and counts those as 0; give all of them images of one line", own, epp)
	}
}

func readSimulator(d *draft.Draft, doc document.Document) (*simulator, bool) {
	var in SimulatorDeployment
	ok := d.Decoded(document.Decode(doc, &in))
	return &simulator{Part: d.Part(doc), spec: &in.Spec}, ok
}
