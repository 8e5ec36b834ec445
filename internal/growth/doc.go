// Package growth tests how the commands grow with their input: it has inputs of any size, in the shapes
// that a careless walk over objects takes quadratic time for.
package growth
