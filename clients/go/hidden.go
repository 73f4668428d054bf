package memslot

// hidden keeps a value where printers do not look: fmt shows no more than an address, encoding/json nothing.
type hidden[T any] struct{ at *T }

func hide[T any](value T) hidden[T] { return hidden[T]{&value} }

func (h hidden[T]) get() T {
	if h.at == nil {
		var none T
		return none
	}
	return *h.at
}
