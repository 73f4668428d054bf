package memslot

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	segmentLimit      = 8
	segmentLimitBytes = 128
)

var escapes = regexp.MustCompile(`(?:%[0-9A-Fa-f]{2})+`)

// JoinNamespace joins 1 to 8 strings of any content into a namespace path, one segment each, so that [SplitNamespace] gives them
// back.
//
// What a segment may not hold is written as %XX of its UTF-8 bytes: `/` and `%`, control and bidirectional-override characters,
// a leading or trailing space, the whole segments `.` and `..`, and text that is not in Unicode's NFC. Everything else stays as
// it is, so JoinNamespace("acme", "a@b.com") is acme/a@b.com.
//
// No part, more than 8, an empty one, one that is not UTF-8, or a segment of more than 128 bytes is an error.
func JoinNamespace(parts ...string) (string, error) {
	if len(parts) < 1 || len(parts) > segmentLimit {
		return "", fmt.Errorf("memslot: a namespace has 1 to %d parts, not %d", segmentLimit, len(parts))
	}
	segments := make([]string, len(parts))
	for at, part := range parts {
		segment, err := segmentOf(part)
		if err != nil {
			return "", fmt.Errorf("memslot: part %d of the namespace %w", at, err)
		}
		segments[at] = segment
	}
	return strings.Join(segments, "/"), nil
}

// SplitNamespace returns the parts that [JoinNamespace] joined into a path. In paths that were written by hand, what is no escape
// of UTF-8 stands for itself.
func SplitNamespace(path string) []string {
	parts := strings.Split(path, "/")
	for at, segment := range parts {
		parts[at] = escapes.ReplaceAllStringFunc(segment, unescaped)
	}
	return parts
}

func segmentOf(part string) (string, error) {
	if part == "" {
		return "", fmt.Errorf("is empty")
	}
	if at := invalidUTF8([]byte(part)); at >= 0 {
		return "", fmt.Errorf("is not UTF-8 at byte %d", at)
	}
	segment := escaped(part)
	if !norm.NFC.IsNormalString(segment) {
		segment = mapped(segment, func(char rune, _ bool) bool { return char > unicode.MaxASCII })
	}
	if len(segment) > segmentLimitBytes {
		return "", fmt.Errorf("takes %d bytes as a segment, at most %d fit", len(segment), segmentLimitBytes)
	}
	return segment, nil
}

func escaped(part string) string {
	if part == "." || part == ".." {
		return strings.Repeat("%2E", len(part))
	}
	return mapped(part, func(char rune, atEnd bool) bool { return forbidden(char) || atEnd && unicode.IsSpace(char) })
}

// mapped escapes the characters that escape asks for.
func mapped(text string, escape func(char rune, atEnd bool) bool) string {
	var out strings.Builder
	for at, char := range text {
		size := utf8.RuneLen(char)
		if !escape(char, at == 0 || at+size == len(text)) {
			out.WriteRune(char)
			continue
		}
		for _, octet := range []byte(text[at : at+size]) {
			fmt.Fprintf(&out, "%%%02X", octet)
		}
	}
	return out.String()
}

func forbidden(char rune) bool {
	return char == '/' || char == '%' || unicode.In(char, unicode.Cc, unicode.Zl, unicode.Zp) ||
		char >= 0x202A && char <= 0x202E || char >= 0x2066 && char <= 0x2069
}

func unescaped(escapes string) string {
	octets := make([]byte, 0, len(escapes)/3)
	for at := 1; at < len(escapes); at += 3 {
		octets = append(octets, digit(escapes[at])<<4|digit(escapes[at+1]))
	}
	if !utf8.Valid(octets) {
		return escapes
	}
	return string(octets)
}

func digit(char byte) byte {
	switch {
	case char <= '9':
		return char - '0'
	case char <= 'F':
		return char - 'A' + 10
	default:
		return char - 'a' + 10
	}
}
