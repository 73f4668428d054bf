package memslot

import (
	"slices"
	"strconv"
	"testing"
)

// Each iteration over pages begins anew, wherever the one before was left.
func TestPagesBeginAnew(t *testing.T) {
	var asked []string
	numbers := pages(func(token string) ([]int, string, error) {
		asked = append(asked, token)
		if token == "3" {
			return []int{3}, "", nil
		}
		number, _ := strconv.Atoi(token)
		return []int{number}, strconv.Itoa(number + 1), nil
	})
	for number := range numbers {
		if number == 1 {
			break
		}
	}
	found, err := Collect(numbers)
	if err != nil || !slices.Equal(found, []int{0, 1, 2, 3}) {
		t.Errorf("got %v, %v", found, err)
	}
	if want := []string{"", "1", "", "1", "2", "3"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}
