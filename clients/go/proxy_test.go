package memslot_test

import (
	"crypto/tls"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy stands between a client and the sidecar, and may keep the replies to itself.
type proxy struct {
	listener   net.Listener
	swallowing atomic.Bool
	lock       sync.Mutex
	open       []net.Conn
}

// proxied starts a proxy at an address (`tcp` and 127.0.0.1:0, or `unix` and a path), by TLS with settings.
func proxied(t testing.TB, network, address string, settings *tls.Config) *proxy {
	t.Helper()
	listener, err := net.Listen(network, address)
	must(t, err)
	if settings != nil {
		listener = tls.NewListener(listener, settings)
	}
	started := &proxy{listener: listener}
	t.Cleanup(func() { _ = listener.Close(); started.cut() })
	go started.serve()
	return started
}

// target is where clients connect.
func (p *proxy) target() string {
	if p.listener.Addr().Network() == "unix" {
		return "unix:" + p.listener.Addr().String()
	}
	return p.listener.Addr().String()
}

// cut ends all connections.
func (p *proxy) cut() {
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, conn := range p.open {
		_ = conn.Close()
	}
	p.open = nil
}

func (p *proxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", strings.TrimPrefix(running.Socket, "unix:"))
		if err != nil {
			_ = client.Close()
			return
		}
		p.lock.Lock()
		p.open = append(p.open, client, server)
		p.lock.Unlock()
		go func() { _, _ = io.Copy(server, client); _ = server.Close() }()
		go func() { _, _ = io.Copy(reply{p, client}, server); _ = client.Close() }()
	}
}

// reply passes on what the server answers, unless that is to be lost.
type reply struct {
	proxy *proxy
	to    io.Writer
}

func (r reply) Write(octets []byte) (int, error) {
	if r.proxy.swallowing.Load() {
		return len(octets), nil
	}
	return r.to.Write(octets)
}
