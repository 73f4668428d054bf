package memslot

import (
	"context"
	"errors"
	"fmt"
	"io"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// ServerInfo says which sidecar this is, its limits, and what is enabled. It holds no body.
type ServerInfo = memslotv1.GetServerInfoResponse

// Stats is what is stored, and what was done since the process started. It holds no body.
type Stats = memslotv1.StatsResponse

// ServerInfo returns which sidecar this is, and its limits.
func (c *Client) ServerInfo(ctx context.Context) (*ServerInfo, error) {
	return ask[memslotv1.GetServerInfoResponse](ctx, c, memslotv1.AdminService_GetServerInfo_FullMethodName, &memslotv1.GetServerInfoRequest{})
}

// Stats returns what is stored, and what was done since the process started, with the index of the client's namespace if it has one.
func (c *Client) Stats(ctx context.Context) (*Stats, error) {
	request := &memslotv1.StatsRequest{Namespace: c.namespace}
	return ask[memslotv1.StatsResponse](ctx, c, memslotv1.AdminService_Stats_FullMethodName, request)
}

// Backup writes a consistent copy of the store, while the sidecar goes on serving, and returns the revision that it contains. It has
// no deadline but the context's. Placed as `memslot.db` in an empty data directory the copy is a store of its own.
//
// Its errors: [ErrBackupUnsupported] (the store lives in RAM), [ErrStoreFull], and the writer's.
func (c *Client) Backup(ctx context.Context, to io.Writer) (revision int64, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := memslotv1.NewAdminServiceClient(c).Backup(ctx, &memslotv1.BackupRequest{})
	if err != nil {
		return 0, c.link.failed(ctx, err)
	}
	for received, total := int64(0), int64(0); ; {
		piece, err := stream.Recv()
		if errors.Is(err, io.EOF) && received == total && total > 0 {
			return revision, nil
		}
		if errors.Is(err, io.EOF) {
			return 0, fmt.Errorf("memslot: the backup ended after %d of %d bytes", received, total)
		}
		if err != nil {
			return 0, c.link.failed(ctx, err)
		}
		if _, err := to.Write(piece.GetChunk()); err != nil {
			return 0, err
		}
		received, total, revision = received+int64(len(piece.GetChunk())), piece.GetTotalBytes(), piece.GetRevision()
	}
}
