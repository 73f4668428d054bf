// Command save_a_name is an agent with a memory outside of its prompt: it saves a name, talks of something else, and is asked for
// the name. The model is a script; whatever it says about memory, [memslot.Client.Act] does.
//
// It needs a sidecar (`memslot serve`); MEMSLOT_TARGET says where.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	memslot "github.com/memslot/memslot/clients/go"
)

type message struct{ Role, Content string }

func main() {
	memory, err := memslot.Connect("", memslot.WithNamespace("examples/save-a-name"), memslot.WithConversation("example"))
	if err != nil {
		log.Fatal(err)
	}
	defer memory.Close()
	if err := talk(context.Background(), memory, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// talk has the conversation and prints it.
func talk(ctx context.Context, memory *memslot.Client, out io.Writer) error {
	agent := &agent{memory: memory, out: out}
	for number, line := range []string{"Hello! My name is Ada.", "How far is the moon?", "Do you still know my name?"} {
		ctx := memslot.ContextWithTurn(ctx, fmt.Sprint(number+1))
		if err := agent.answer(ctx, line); err != nil {
			return err
		}
	}
	return nil
}

// agent keeps the history, in which no body ever stands.
type agent struct {
	memory  *memslot.Client
	out     io.Writer
	history []message
}

// answer lets the model speak until it has nothing more to do with its memory.
func (a *agent) answer(ctx context.Context, asked string) error {
	fmt.Fprintln(a.out, "user:  ", asked)
	a.history = append(a.history, message{"user", asked})
	shown := ""
	for {
		prompt, err := a.prompt(ctx, shown)
		if err != nil {
			return err
		}
		said := model(prompt)
		acted, err := a.memory.Act(ctx, said, memslot.ShowOnce(0))
		if err != nil {
			return err
		}
		if text := strings.TrimSpace(acted.UserText()); text != "" {
			fmt.Fprintln(a.out, "agent: ", text)
			a.history = append(a.history, message{"assistant", text})
		}
		if !acted.Any() {
			return nil
		}
		fmt.Fprintln(a.out, "memory:", acted.ModelText)
		a.history = append(a.history, message{"user", acted.ModelText})
		if shown = acted.Injection(); shown == "" {
			return nil
		}
	}
}

// prompt is the card, the history, and what is shown for this one call.
func (a *agent) prompt(ctx context.Context, shown string) ([]message, error) {
	card, err := a.memory.PromptCard(ctx)
	if err != nil {
		return nil, err
	}
	prompt := append([]message{{"system", card.GetCard()}}, a.history...)
	if tail := card.GetTail() + shown; tail != "" {
		prompt = append(prompt, message{"user", tail})
	}
	return prompt, nil
}
