package memslot_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	memslot "github.com/memslot/memslot/clients/go"
)

func exampleClient(namespace string) *memslot.Client {
	memory, err := memslot.Connect("", memslot.WithNamespace("examples/"+namespace))
	if err != nil {
		log.Fatal(err)
	}
	return memory
}

// Each writer's item is in the list, however many write at once.
func ExampleUpdate() {
	memory := exampleClient("update")
	defer memory.Close()
	add := func(items []string) ([]string, error) { return append(items, "milk"), nil }
	items, receipt, err := memslot.Update(context.Background(), memory, "shopping", add, memslot.OrCreate())
	fmt.Println(items, receipt.Outcome, err)
	// Output: [milk] OUTCOME_CREATED <nil>
}

// A mutation that was sent and not answered is repeated under its request id, so that it happens once.
func ExampleRetry() {
	memory := exampleClient("retry")
	defer memory.Close()
	ctx := context.Background()
	receipt, err := memory.Append(ctx, "log", "one line\n")
	for errors.Is(err, memslot.ErrOutcomeUnknown) {
		receipt, err = memslot.Retry[*memslot.Receipt](ctx, err)
	}
	fmt.Println(receipt.Outcome, err)
	// Output: OUTCOME_CREATED <nil>
}

// Whatever a model says about its memory is done, and the model is told so in a line without any body.
func ExampleClient_Act() {
	memory := exampleClient("act")
	defer memory.Close()
	said := `I will remember that. {"action":"mem_write","slot":"diet","value":"no nuts"}`
	acted, err := memory.Act(memslot.ContextWithTurn(context.Background(), "7"), said)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(acted.UserText())
	fmt.Println(acted.ModelText)
	// Output:
	// I will remember that.
	// stored diet
}

// What a task promotes is kept; the rest of its memory is gone with it.
func ExampleClient_RunTask() {
	memory := exampleClient("task")
	defer memory.Close()
	err := memory.RunTask(context.Background(), "job-17", func(ctx context.Context, task *memslot.Task) error {
		task.Promote("result")
		_, err := task.Memory.Commit(ctx, new(memslot.Batch).Write("result", 42).Write("scratch", "x"))
		return err
	})
	fmt.Println(err)
	for entry, err := range memory.Lookup(context.Background(), "") {
		fmt.Println(entry.Name, err)
	}
	// Output:
	// <nil>
	// result <nil>
}
