// Command driver lets the conformance scenarios speak to the Go client: one JSON object a line in, one a line out, each answered
// when it is done.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

// The largest allowed body, as base64 in JSON, fits.
const lineLimit = 64 << 20

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, lineLimit)
	clients, out := newClients(), &answers{to: bufio.NewWriter(os.Stdout)}
	var working sync.WaitGroup
	for lines.Scan() {
		var asked request
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, "driver: a line is no request")
			os.Exit(1)
		}
		if asked.Op == "open" || asked.Op == "close" {
			out.tell(asked.ID, clients.answer(asked))
			continue
		}
		working.Go(func() { out.tell(asked.ID, clients.answer(asked)) })
	}
	working.Wait()
}

// request is one line of any operation.
type request struct {
	ID           json.RawMessage `json:"id"`
	Op           string          `json:"op"`
	Client       string          `json:"client"`
	Keep         bool            `json:"keep"`
	Target       string          `json:"target"`
	Namespace    string          `json:"namespace"`
	TimeoutMS    int64           `json:"timeout_ms"`
	Agent        string          `json:"agent"`
	Conversation string          `json:"conversation"`
	Token        string          `json:"token"`
	CAFile       string          `json:"ca_file"`
	Method       string          `json:"method"`
	Request      json.RawMessage `json:"request"`
	Verb         string          `json:"verb"`
	Arguments    json.RawMessage `json:"arguments"`
	Concurrency  int             `json:"concurrency"`
	Calls        int             `json:"calls"`
}

// answer is one line but for its id.
type answer map[string]any

type answers struct {
	lock sync.Mutex
	to   *bufio.Writer
}

func (a *answers) tell(id json.RawMessage, said answer) {
	said["id"] = id
	line, err := json.Marshal(said)
	if err != nil {
		line, _ = json.Marshal(answer{"id": id, "error": failure{Code: "UNKNOWN", Type: fmt.Sprintf("%T", err)}})
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	_, _ = a.to.Write(append(line, '\n'))
	_ = a.to.Flush()
}
