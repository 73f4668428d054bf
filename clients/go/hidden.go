package memslot

// hidden keeps a value where printers do not look: fmt shows no more of a function than an address (it follows pointers), and
// encoding/json nothing.
type hidden[T any] func() T

func hide[T any](value T) hidden[T] { return func() T { return value } }

// get returns the value; T's zero value where nothing was hidden.
func (h hidden[T]) get() T {
	if h == nil {
		var none T
		return none
	}
	return h()
}
