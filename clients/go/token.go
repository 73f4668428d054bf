package memslot

import (
	"context"
	"errors"
)

// A TokenSource returns the bearer token for one call.
type TokenSource func(ctx context.Context) (string, error)

// bearer sends the token as `authorization`; secure demands that gRPC finds the way encrypted.
type bearer struct {
	source TokenSource
	secure bool
}

func (b bearer) GetRequestMetadata(ctx context.Context, _ ...string) (map[string]string, error) {
	token, err := b.source(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkToken(token); err != nil {
		return nil, err
	}
	return map[string]string{"authorization": "Bearer " + token}, nil
}

func (b bearer) RequireTransportSecurity() bool { return b.secure }

// checkToken refuses what a header cannot hold: gRPC tells it as INTERNAL, as if it came of the server.
func checkToken(token string) error {
	if token == "" || !plain(token) {
		return errors.New("memslot: a token is printable ASCII without spaces around it, such as the line end of a file")
	}
	return nil
}
