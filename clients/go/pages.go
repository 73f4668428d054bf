package memslot

import "iter"

// pageLimit is how many slots one page, and how many names one call, may have.
const pageLimit = 1000

// pages iterates over the items of pages, which next brings with the token of the page behind it. Nothing is called before the
// first item is asked for, and nothing behind the last that is taken. An error ends it.
func pages[T any](next func() ([]T, string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			items, token, err := next()
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if token == "" {
				return
			}
		}
	}
}

// Collect gathers what an iterator over pages gives, up to its first error.
func Collect[T any](items iter.Seq2[T, error]) ([]T, error) {
	var found []T
	for item, err := range items {
		if err != nil {
			return found, err
		}
		found = append(found, item)
	}
	return found, nil
}
