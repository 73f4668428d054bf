package memslot

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"google.golang.org/grpc/resolver"
)

// A socket's path takes at most so many bytes on Linux.
const socketPathLimit = 107

// checkTarget refuses web addresses, socket paths that the system cannot take, and what no resolver of gRPC takes: it would be looked
// up as a host's name until the deadline.
func checkTarget(target string) error {
	lower := strings.ToLower(target)
	for _, scheme := range []string{"http:", "https:", "grpc:"} {
		if strings.HasPrefix(lower, scheme) {
			return fmt.Errorf("memslot: %s is a web address: write host:port or unix:/path", target)
		}
	}
	if path, ok := socketPath(target); ok {
		if len(path) > socketPathLimit {
			return fmt.Errorf("memslot: the socket path has %d bytes, at most %d work: choose a shorter one", len(path), socketPathLimit)
		}
		return nil
	}
	_, _, err := hostPort(target)
	scheme, _, _ := strings.Cut(target, ":")
	if err != nil && !strings.Contains(target, "://") && resolver.Get(scheme) == nil {
		return fmt.Errorf("memslot: %s is no target: write host:port, [address]:port for IPv6, or unix:/path", target)
	}
	return nil
}

// dialled is the target as gRPC takes it: a URL, in which a socket's path is escaped. Only an absolute path can be.
func dialled(target string) string {
	path, ok := socketPath(target)
	if !ok || !filepath.IsAbs(path) && !strings.ContainsAny(path, "%?#") {
		return target
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return target
	}
	return (&url.URL{Scheme: "unix", Path: absolute}).String()
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
	if _, err := strconv.ParseUint(port, 10, 16); err != nil || host == "" {
		return "", "", errors.New("no host, or no port")
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
