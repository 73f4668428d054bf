package memslot_test

import (
	"errors"
	"net"
	"testing"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
)

// What a newer sidecar says is kept as it says it: reasons, details of types that nobody knows, and members of closed sets.
func TestNewerSidecar(t *testing.T) {
	memory := connectedTo(t, serving(t, answerOfTomorrow))
	slot, err := memory.Read(ctx, "n")
	must(t, err)
	equal(t, slot.Origin, memslot.Origin(99))
	value, there := slot.Attributes["of tomorrow"]
	equal(t, there && value == nil, true)
	_, err = memory.Write(ctx, "n", 1)
	failed := refusal(t, err, memslot.Reason("OF_TOMORROW"))
	equal(t, status.Code(err), codes.ResourceExhausted)
	equal(t, failed.RetryAfter, 3*time.Second)
	equal(t, failed.Metadata["limit"], "7")
	equal(t, failed.FromServer() && !errors.Is(err, memslot.ErrOutcomeUnknown), true)
	equal(t, len(status.Convert(err).Proto().GetDetails()), 3)
}

// A reason of another domain, such as a proxy's, is none: beside the sidecar's it is passed over, alone it is gRPC's own failure.
func TestReasonsOfOthers(t *testing.T) {
	memory := connectedTo(t, serving(t, func(_ any, stream grpc.ServerStream) error {
		foreign := &errdetails.ErrorInfo{Reason: "SLOT_NOT_FOUND", Domain: "proxy.example", Metadata: map[string]string{"limit": "1"}}
		refused, err := status.New(codes.Internal, "told").WithDetails(foreign)
		if method, _ := grpc.MethodFromServerStream(stream); method == memslotv1.SlotService_Read_FullMethodName {
			ours := &errdetails.ErrorInfo{Reason: "STORE_CORRUPT", Domain: "memslot"}
			refused, err = status.New(codes.DataLoss, "told").WithDetails(ours, foreign)
		}
		if err != nil {
			return err
		}
		return refused.Err()
	}))
	_, err := memory.Read(ctx, "n")
	equal(t, len(refusal(t, err, memslot.ErrStoreCorrupt).Metadata), 0)
	_, err = memory.Write(ctx, "n", 1)
	refusal(t, err, memslot.ErrOutcomeUnknown)
}

// serving is the address of a server that answers each call so.
func serving(t *testing.T, answer grpc.StreamHandler) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server := grpc.NewServer(grpc.UnknownServiceHandler(answer))
	t.Cleanup(server.Stop)
	go func() { _ = server.Serve(listener) }()
	return listener.Addr().String()
}

func answerOfTomorrow(_ any, stream grpc.ServerStream) error {
	if err := stream.RecvMsg(&emptypb.Empty{}); err != nil {
		return err
	}
	if method, _ := grpc.MethodFromServerStream(stream); method == memslotv1.SlotService_Read_FullMethodName {
		return stream.SendMsg(&memslotv1.ReadResponse{Slot: &memslotv1.Slot{Info: &memslotv1.SlotInfo{
			Origin: 99, Attributes: map[string]*memslotv1.AttributeValue{"of tomorrow": {}},
		}}})
	}
	refused, err := status.New(codes.ResourceExhausted, "not today").WithDetails(
		&emptypb.Empty{}, &errdetails.ErrorInfo{Reason: "OF_TOMORROW", Domain: "memslot", Metadata: map[string]string{"limit": "7"}},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(3 * time.Second)},
	)
	if err != nil {
		return err
	}
	return refused.Err()
}
