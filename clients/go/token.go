package memslot

import "context"

// A TokenSource returns the bearer token for one call.
type TokenSource func(ctx context.Context) (string, error)

// bearer sends the token as `authorization`. Whether the way is safe was checked when the client was made.
type bearer struct{ source TokenSource }

func (b bearer) GetRequestMetadata(ctx context.Context, _ ...string) (map[string]string, error) {
	token, err := b.source(ctx)
	if err != nil {
		return nil, err
	}
	return map[string]string{"authorization": "Bearer " + token}, nil
}

func (bearer) RequireTransportSecurity() bool { return false }
