package collect

// Stack gives the stack of the caller's goroutine the size that a run on a usual stack needs. It would grow to it
// by doubling, and each time every frame on it is looked up and moved: a fiftieth of the time of one stack.
//
//go:noinline
func Stack() {
	if needed {
		var room [50 << 10]byte
		use(&room)
	}
}

// needed is false, which the compiler does not know: the room is set aside and not touched.
var needed bool

//go:noinline
func use(*[50 << 10]byte) {}
