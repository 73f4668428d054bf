// Package sidecar starts a real sidecar for tests and examples.
package sidecar

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// A Sidecar is a process of its own, with a store in a temporary folder.
type Sidecar struct {
	// Target is its TCP address, Socket its unix target.
	Target, Socket string

	folder  string
	process *exec.Cmd
}

// Start starts a sidecar and returns when it serves. The command is MEMSLOT_COMMAND, else that of the repository's environment.
func Start(arguments ...string) (*Sidecar, error) {
	folder, err := os.MkdirTemp("", "memslot-go-")
	if err != nil {
		return nil, err
	}
	socket := "unix:" + filepath.Join(folder, "s")
	serve := append([]string{"serve", "--data-dir", folder, "--listen", "127.0.0.1:0", "--listen", socket}, arguments...)
	started := &Sidecar{Socket: socket, folder: folder, process: exec.Command(command(), serve...)}
	if err := started.await(); err != nil {
		started.Stop()
		return nil, err
	}
	return started, nil
}

// Stop ends the sidecar and removes its store.
func (s *Sidecar) Stop() {
	if s.process.Process != nil {
		_ = s.process.Process.Signal(syscall.SIGTERM)
		_ = s.process.Wait()
	}
	_ = os.RemoveAll(s.folder)
}

// Kill ends the sidecar at once and keeps its store.
func (s *Sidecar) Kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// await reads what the sidecar says until it serves.
func (s *Sidecar) await() error {
	said, err := s.process.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return fmt.Errorf("tests need a sidecar: set MEMSLOT_COMMAND, or make the repository's environment (`make venv`): %w", err)
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if address, ok := strings.CutPrefix(line, "listening on"); ok && !strings.Contains(address, "unix:") {
			s.Target = strings.TrimSpace(address)
		}
		if strings.HasPrefix(line, "whole store") {
			go drain(lines)
			return nil
		}
	}
	return errors.New("the sidecar ended before it served")
}

// drain keeps the pipe empty, so that the sidecar never waits for its reader.
func drain(lines *bufio.Scanner) {
	for lines.Scan() {
	}
}

func command() string {
	if named := os.Getenv("MEMSLOT_COMMAND"); named != "" {
		return named
	}
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "../../../../.venv/bin/memslot")
}
