package memslot

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// A socket's path takes at most so many bytes on Linux.
const socketPathLimit = 107

// checkTarget refuses web addresses, and socket paths that the system cannot take.
func checkTarget(target string) error {
	lower := strings.ToLower(target)
	for _, scheme := range []string{"http:", "https:", "grpc:"} {
		if strings.HasPrefix(lower, scheme) {
			return fmt.Errorf("memslot: %s is a web address: write host:port or unix:/path", target)
		}
	}
	if path, ok := socketPath(target); ok && len(path) > socketPathLimit {
		return fmt.Errorf("memslot: the socket path has %d bytes, at most %d work: choose a shorter one", len(path), socketPathLimit)
	}
	return nil
}

// socketPath is the path of a unix target.
func socketPath(target string) (string, bool) {
	path, ok := strings.CutPrefix(target, "unix:")
	return strings.TrimPrefix(path, "//"), ok
}

// hostPort splits a target of the form host:port; others are left to gRPC.
func hostPort(target string) (host, port string, err error) {
	host, port, err = net.SplitHostPort(target)
	if err != nil {
		return "", "", err
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", "", errors.New("not a port")
	}
	return host, port, nil
}

// staysHere tells whether what is sent to a target leaves this machine at no time: sockets and loopback addresses.
func staysHere(target string) bool {
	if strings.HasPrefix(target, "unix:") || strings.HasPrefix(target, "unix-abstract:") {
		return true
	}
	host, _, err := hostPort(target)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
