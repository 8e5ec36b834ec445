package wiring

import "sync"

// remembered answers are found once. Rules may ask at the same time.
type remembered[K comparable, V any] struct {
	mutex sync.Mutex
	known map[K]V
}

func (r *remembered[K, V]) of(key K, find func() V) V {
	r.mutex.Lock()
	answer, known := r.known[key]
	r.mutex.Unlock()
	if known {
		return answer
	}
	answer = find()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.known == nil {
		r.known = map[K]V{}
	}
	r.known[key] = answer
	return answer
}
