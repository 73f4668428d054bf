package memslot_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	memslot "github.com/memslot/memslot/clients/go"
	"github.com/memslot/memslot/clients/go/where"
)

func Example() {
	// begin of the quick start
	ctx := context.Background()
	memory, err := memslot.Connect("", memslot.WithNamespace("acme/support/task-42"))
	if err != nil {
		log.Fatal(err)
	}
	defer memory.Close()

	type Customer struct{ Name, Plan string }
	_, err = memory.Write(ctx, "customer", Customer{"Ada", "pro"}, memslot.Tags("crm"), memslot.TTL(time.Hour))
	if err != nil {
		log.Fatal(err)
	}
	turns, _, err := memslot.Update(ctx, memory, "turns", func(n int) (int, error) { return n + 1, nil }, memslot.OrCreate())
	if err != nil {
		log.Fatal(err)
	}
	for entry, err := range memory.Lookup(ctx, "", memslot.Where(where.TagsAny("crm"))) {
		if err != nil {
			log.Fatal(err)
		}
		customer, err := memslot.ReadAs[Customer](ctx, memory, entry.Name)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(entry.Name, customer.Plan, turns)
	}
	_, err = memory.Write(ctx, "customer", Customer{"Eve", "free"}, memslot.IfAbsent())
	var failed *memslot.Error
	if errors.Is(err, memslot.ErrSlotExists) && errors.As(err, &failed) {
		fmt.Println("somebody was faster:", failed.Reason)
	}
	// end of the quick start

	// Output:
	// customer pro 1
	// somebody was faster: memslot: SLOT_EXISTS
}

// The quick start in README.md is the code of the example above.
func TestQuickStartInREADME(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	source, err := os.ReadFile("example_test.go")
	must(t, err)
	_, run, _ := strings.Cut(string(source), "// begin of the quick start\n")
	run, _, _ = strings.Cut(run, "\t// end of the quick start")
	_, shown, _ := strings.Cut(string(readme), "```go\n")
	shown, _, _ = strings.Cut(shown, "```")
	equal(t, shown, strings.ReplaceAll("\n"+run, "\n\t", "\n")[1:])
}
