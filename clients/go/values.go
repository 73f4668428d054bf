package memslot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Content types under which values are stored unless [ContentType] says otherwise.
const (
	TypeText   = "text/plain"
	TypeJSON   = "application/json"
	TypeBinary = "application/octet-stream"
)

// encode returns the body and content type under which a value is stored: a string as text, a []byte as binary, anything else as
// JSON. No error repeats a value.
func encode(value any, contentType string) ([]byte, string, error) {
	switch value := value.(type) {
	case string:
		if at := invalidUTF8([]byte(value)); at >= 0 {
			return nil, "", fmt.Errorf("memslot: the text is not UTF-8 at byte %d: store it as []byte", at)
		}
		return []byte(value), firstOf(contentType, TypeText), nil
	case []byte:
		return value, firstOf(contentType, TypeBinary), nil
	default:
		body, err := encodeJSON(value)
		return body, firstOf(contentType, TypeJSON), err
	}
}

// encodeJSON returns a value as JSON. A json.RawMessage is stored as it is.
func encodeJSON(value any) ([]byte, error) {
	if raw, ok := value.(json.RawMessage); ok {
		if !json.Valid(raw) {
			return nil, errors.New("memslot: the json.RawMessage is no JSON")
		}
		return raw, nil
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, unfit(value, err)
	}
	return bytes.TrimSuffix(body.Bytes(), []byte("\n")), nil
}

// unfit says why a value is no JSON, without the value, which encoding/json may quote.
func unfit(value any, err error) error {
	var number *json.UnsupportedValueError
	var kind *json.UnsupportedTypeError
	switch {
	case errors.As(err, &number) && (number.Value.Kind() == reflect.Float32 || number.Value.Kind() == reflect.Float64):
		return errors.New("memslot: JSON has no NaN and no infinity: use null or a string")
	case errors.As(err, &number):
		return errors.New("memslot: the value contains itself")
	case errors.As(err, &kind):
		return fmt.Errorf("memslot: JSON has no form for a %v", kind.Type)
	default:
		return fmt.Errorf("memslot: a %T cannot be made JSON: a MarshalJSON in it failed", value)
	}
}

// Text is the body as text, whatever its content type.
func (s *Slot) Text() (string, error) {
	body := s.body.get()
	if at := invalidUTF8(body); at >= 0 {
		return "", fmt.Errorf("memslot: the body of slot %q is not UTF-8 text at byte %d", s.Name, at)
	}
	return string(body), nil
}

// Value is the body by its content type: a string for text/*, the JSON value for JSON types (numbers as [json.Number], which keeps
// every digit), and a []byte otherwise, which is no copy.
func (s *Slot) Value() (any, error) {
	switch {
	case isText(s.ContentType):
		return s.Text()
	case isJSON(s.ContentType):
		var value any
		return value, s.decodeJSON(&value)
	default:
		return s.body.get(), nil
	}
}

// Decode stores the body in what target points to: a *string for text, a *[]byte for any body, a *json.RawMessage or whatever
// encoding/json takes for JSON, a *any for what [Slot.Value] returns. Its errors tell the place and the type, and no value.
func (s *Slot) Decode(target any) error {
	switch target := target.(type) {
	case *[]byte:
		*target = bytes.Clone(s.body.get())
		return nil
	case *any:
		value, err := s.Value()
		*target = value
		return err
	case *string:
		if !isJSON(s.ContentType) {
			text, err := s.Text()
			*target = text
			return err
		}
	}
	if !isJSON(s.ContentType) {
		return fmt.Errorf("memslot: slot %q holds %s, and a %T is decoded from JSON", s.Name, s.ContentType, target)
	}
	return s.decodeJSON(target)
}

func (s *Slot) decodeJSON(target any) error {
	decoder := json.NewDecoder(bytes.NewReader(s.body.get()))
	decoder.UseNumber()
	err := decoder.Decode(target)
	if err == nil {
		if _, rest := decoder.Token(); rest != io.EOF {
			err = &json.SyntaxError{Offset: decoder.InputOffset()}
		}
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("memslot: the body of slot %q (%s, revision %d) %s", s.Name, s.ContentType, s.Revision, misfit(target, err))
}

// misfit says where JSON does not fit a type, without what stands there, which encoding/json may quote.
func misfit(target any, err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		found, _, _ := strings.Cut(kind.Value, " ")
		return fmt.Sprintf("does not fit a %T: a %s for a %v in field %q at byte %d", target, found, kind.Type, kind.Field, kind.Offset)
	case errors.As(err, &syntax):
		return fmt.Sprintf("is not JSON at byte %d", syntax.Offset)
	default:
		return fmt.Sprintf("does not fit a %T", target)
	}
}

func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

func isText(contentType string) bool { return strings.HasPrefix(mediaType(contentType), "text/") }

func isJSON(contentType string) bool {
	kind := mediaType(contentType)
	return kind == TypeJSON || strings.HasSuffix(kind, "+json")
}

// invalidUTF8 is the first byte that is no UTF-8; -1 when all is.
func invalidUTF8(body []byte) int {
	if utf8.Valid(body) {
		return -1
	}
	for at := 0; ; {
		char, size := utf8.DecodeRune(body[at:])
		if char == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}
