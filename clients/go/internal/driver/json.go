package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// number is an integer, written as one or, as protobuf JSON does, as a text.
type number int64

func (n *number) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseInt(string(bytes.Trim(text, `"`)), 10, 64)
	*n = number(value)
	return err
}

// fields are those of a JSON object of texts, in their order.
type fields []field

type field struct{ name, text string }

func (f *fields) UnmarshalJSON(object []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		one := field{name: fmt.Sprint(name)}
		if err := decoder.Decode(&one.text); err != nil {
			return err
		}
		*f = append(*f, one)
	}
	return nil
}
