package memslot

import "iter"

// pageLimit is how many slots one page, and how many names one call, may have.
const pageLimit = 1000

// pages iterates over the items of pages, which fetch brings by their token ("" is the first one's) with the token of the page
// behind it. Nothing is called before the first item is asked for, and nothing behind the last that is taken. An error ends it. Each
// iteration begins anew.
func pages[T any](fetch func(token string) ([]T, string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		token := ""
		for {
			items, next, err := fetch(token)
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
			if next == "" {
				return
			}
			token = next
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
