package memslot

import (
	"errors"
	"slices"
	"time"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// A WriteOption says something about a write, an append or a patch. What is not said keeps what the slot has.
type WriteOption interface {
	toWrite(*memslotv1.WriteRequest) error
}

// An InfoOption changes what is known about a slot.
type InfoOption interface {
	toInfo(*memslotv1.UpdateInfoRequest) error
}

// A ForgetOption says how a slot is forgotten.
type ForgetOption interface {
	toForget(*memslotv1.ForgetRequest) error
}

// A CheckOption is a condition that a [Batch] checks.
type CheckOption interface {
	toCheck(*memslotv1.CommitCheck) error
}

// A DetailOption is something that may be said when a slot is written, and changed later.
type DetailOption interface {
	WriteOption
	InfoOption
}

// detail sets fields of a write, or names of a mask and fields of a SlotInfo.
type detail struct {
	write func(*memslotv1.WriteRequest) error
	info  func(*memslotv1.UpdateInfoRequest) error
}

func (d detail) toWrite(request *memslotv1.WriteRequest) error     { return d.write(request) }
func (d detail) toInfo(request *memslotv1.UpdateInfoRequest) error { return d.info(request) }

type onlyWrite func(*memslotv1.WriteRequest) error

func (o onlyWrite) toWrite(request *memslotv1.WriteRequest) error { return o(request) }

// saying makes an option of a field that both requests have.
func saying(path string, write func(*memslotv1.WriteRequest), info func(*memslotv1.SlotInfo)) DetailOption {
	return detail{
		write: func(request *memslotv1.WriteRequest) error { write(request); return nil },
		info: func(request *memslotv1.UpdateInfoRequest) error {
			info(request.Info)
			if !slices.Contains(request.UpdateMask.Paths, path) {
				request.UpdateMask.Paths = append(request.UpdateMask.Paths, path)
			}
			return nil
		},
	}
}

// ContentType is the media type, instead of the one that follows from the value.
func ContentType(kind string) DetailOption {
	return saying("content_type",
		func(r *memslotv1.WriteRequest) { r.ContentType = kind }, func(i *memslotv1.SlotInfo) { i.ContentType = kind })
}

// Description is one line for a model to read, at most 160 characters; an empty one clears.
func Description(line string) DetailOption {
	return saying("description",
		func(r *memslotv1.WriteRequest) { r.Description = &line }, func(i *memslotv1.SlotInfo) { i.Description = line })
}

// TaskType is the kind of work that the slot belongs to, at most 128 bytes; an empty one clears.
func TaskType(kind string) DetailOption {
	return saying("task_type",
		func(r *memslotv1.WriteRequest) { r.TaskType = &kind }, func(i *memslotv1.SlotInfo) { i.TaskType = kind })
}

// Tags are at most 32 labels of 1 to 128 bytes. None keeps what is there in a write, and clears in [Client.UpdateInfo].
func Tags(tags ...string) DetailOption {
	return saying("tags",
		func(r *memslotv1.WriteRequest) { r.Tags = tags }, func(i *memslotv1.SlotInfo) { i.Tags = tags })
}

// Attributes are at most 32 scalars to filter by: strings, integers, floats and bools. None keeps what is there in a write, and
// clears in [Client.UpdateInfo].
func Attributes(values map[string]any) DetailOption {
	messages, err := attributeMessages(values)
	said := saying("attributes",
		func(r *memslotv1.WriteRequest) { r.Attributes = messages }, func(i *memslotv1.SlotInfo) { i.Attributes = messages })
	if err != nil {
		return refused(err)
	}
	return said
}

// Importance is what the slot is worth in the ranking, 0 to 1.
func Importance(worth float64) DetailOption {
	return saying("importance",
		func(r *memslotv1.WriteRequest) { r.Importance = &worth }, func(i *memslotv1.SlotInfo) { i.Importance = worth })
}

// Pinned says whether the slot is never evicted.
func Pinned(pinned bool) DetailOption {
	return saying("pinned",
		func(r *memslotv1.WriteRequest) { r.Pinned = &pinned }, func(i *memslotv1.SlotInfo) { i.Pinned = pinned })
}

// From says who the body comes from.
func From(origin Origin) DetailOption {
	return saying("origin",
		func(r *memslotv1.WriteRequest) { r.Origin = origin }, func(i *memslotv1.SlotInfo) { i.Origin = origin })
}

// TTL is how long the slot lives from now on.
func TTL(span time.Duration) DetailOption {
	return detail{
		write: func(r *memslotv1.WriteRequest) error {
			r.Expiry = &memslotv1.WriteRequest_Ttl{Ttl: durationpb.New(span)}
			return nil
		},
		info: func(r *memslotv1.UpdateInfoRequest) error {
			r.Expiry = &memslotv1.UpdateInfoRequest_Ttl{Ttl: durationpb.New(span)}
			return nil
		},
	}
}

// ExpireAt is when the slot expires; of several expiries the last holds.
func ExpireAt(moment time.Time) DetailOption {
	return detail{
		write: func(r *memslotv1.WriteRequest) error {
			r.Expiry = &memslotv1.WriteRequest_ExpireTime{ExpireTime: timestamppb.New(moment)}
			return nil
		},
		info: func(r *memslotv1.UpdateInfoRequest) error {
			r.Expiry = &memslotv1.UpdateInfoRequest_ExpireTime{ExpireTime: timestamppb.New(moment)}
			return nil
		},
	}
}

// NeverExpire lets the slot live until it is forgotten.
func NeverExpire() DetailOption {
	return detail{
		write: func(r *memslotv1.WriteRequest) error {
			r.Expiry = &memslotv1.WriteRequest_Never{Never: true}
			return nil
		},
		info: func(r *memslotv1.UpdateInfoRequest) error {
			r.Expiry = &memslotv1.UpdateInfoRequest_Never{Never: true}
			return nil
		},
	}
}

// Vector is the body's meaning as 1 to 4096 numbers, of the size of the namespace's other vectors. It goes with the body.
func Vector(vector []float32) WriteOption {
	return onlyWrite(func(r *memslotv1.WriteRequest) error {
		if len(vector) == 0 {
			return errors.New("memslot: the vector is empty")
		}
		r.Vector = vector
		return nil
	})
}

// BodySummary is a summary of the body, at most 2000 characters. It goes with the body.
func BodySummary(text string) WriteOption {
	return onlyWrite(func(r *memslotv1.WriteRequest) error { r.Summary = text; return nil })
}

// IfAbsent demands that there is no such slot; otherwise [ErrSlotExists].
func IfAbsent() interface {
	WriteOption
	CheckOption
} {
	return precondition{&memslotv1.Precondition{Condition: &memslotv1.Precondition_IfAbsent{IfAbsent: true}}}
}

// IfRevision demands that the slot is at this revision; otherwise [ErrRevisionMismatch].
func IfRevision(revision int64) interface {
	WriteOption
	InfoOption
	ForgetOption
	CheckOption
} {
	return precondition{&memslotv1.Precondition{Condition: &memslotv1.Precondition_IfRevision{IfRevision: revision}}}
}

type precondition struct{ message *memslotv1.Precondition }

var errTwoConditions = errors.New("memslot: give IfAbsent or IfRevision, not both")

func (p precondition) into(there **memslotv1.Precondition) error {
	if *there != nil {
		return errTwoConditions
	}
	*there = p.message
	return nil
}

func (p precondition) toWrite(r *memslotv1.WriteRequest) error     { return p.into(&r.Precondition) }
func (p precondition) toInfo(r *memslotv1.UpdateInfoRequest) error { return p.into(&r.Precondition) }
func (p precondition) toForget(r *memslotv1.ForgetRequest) error   { return p.into(&r.Precondition) }
func (p precondition) toCheck(r *memslotv1.CommitCheck) error      { return p.into(&r.Precondition) }

// refused is an option that cannot be.
func refused(err error) DetailOption {
	return detail{
		write: func(*memslotv1.WriteRequest) error { return err },
		info:  func(*memslotv1.UpdateInfoRequest) error { return err },
	}
}
