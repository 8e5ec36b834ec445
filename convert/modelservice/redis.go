package modelservice

import (
	"strconv"

	"github.com/inferstack/inferstack/convert/draft"
	"github.com/inferstack/inferstack/convert/serving"
)

// Names that llmd-operator gives in every namespace, by which servers refer to them, and
// the port (internal/controller/llmd_controller.go).
const (
	redisName  = "redis"
	redisClaim = "redis-data"
	redisPort  = 6379
)

// redisAddress is where LMCache looks keys up.
func (m *service) redisAddress() string {
	if m.llmd != nil && m.llmd.spec.Redis != nil && m.llmd.spec.Redis.on() {
		return m.sharedRedis(m.llmd.spec.Redis)
	}
	m.On("spec.kvCache", fromBase).Warn("this preset looks keys up in a Redis, and no LLMD beside the ModelService has one: put an LLMD with redis.enabled into its namespace, or convert and give the InferenceStack one with spec.kvCache.redis")
	return sanitized(m.Doc.Name) + "-redis:" + strconv.Itoa(redisPort)
}

// sharedRedis is the address of the LLMD's Redis: the one elsewhere, or the one that the
// first ModelService makes.
func (m *service) sharedRedis(redis *Redis) string {
	port := redisPort
	switch x := redis.External; {
	case x != nil && x.Host != "":
		if x.Port != nil {
			port = int(*x.Port)
		}
		return x.Host + ":" + strconv.Itoa(port)
	case m.away():
		return redisName + "." + m.llmd.serves[0].Namespace + ":" + strconv.Itoa(port)
	}
	return redisName + ":" + strconv.Itoa(port)
}

// redis is one that exists, one that another ModelService's stack makes, or one to make.
func (m *service) redis(p *draft.Part, redis *Redis) {
	const to, from = "spec.kvCache.redis", "spec.redis"
	if x := redis.External; x != nil && x.Host != "" {
		p.Set(to+".address", m.sharedRedis(redis), from+".external.host")
		p.From(to+".address", from+".external.host")
		m.redisPassword(p, x)
		p.On(to, from+".external").Note("this Redis is used: the operator does not read external, and makes a Redis of its own")
		return
	}
	if !m.first {
		p.Set(to+".address", m.sharedRedis(redis), from)
		return
	}
	p.Set(to+".name", redisName, "")
	in := redis.Internal
	if in == nil {
		p.Near(to, from)
		return
	}
	p.Copy(to+".image", from+".internal.image")
	serving.Resources(p, to+".resources", from+".internal.resources", in.Resources)
	if in.Persistence == nil || !in.Persistence.on() {
		return
	}
	const at = from + ".internal.persistence"
	p.Set(to+".persistence", map[string]any{}, at+".enabled")
	p.Copy(to+".persistence.size", at+".size")
	p.Copy(to+".persistence.storageClassName", at+".storageClass")
	p.Set(to+".persistence.claimName", redisClaim, "")
}

// redisPassword is that of the Redis elsewhere. One in the resource itself is not a secret,
// and a stack takes none.
func (m *service) redisPassword(p *draft.Part, x *ExternalRedis) {
	const to, from = "spec.kvCache.redis.passwordSecret", "spec.redis.external."
	if x.Password != "" {
		p.Lost(from+"password", "a password in the resource itself; write it into a Secret, and name that in passwordSecret")
	}
	if s := x.PasswordSecret; s != nil && s.Name != "" {
		p.Set(to+".name", s.Name, from+"passwordSecret.name")
		p.Set(to+".key", s.Key, from+"passwordSecret.key")
		if s.Optional != nil {
			p.On(to, from+"passwordSecret.optional").Dropped().Note("left out: a password that is named must exist")
		}
	}
}
