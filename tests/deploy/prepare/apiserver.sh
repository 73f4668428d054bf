#!/usr/bin/env bash
# Builds a kube-apiserver and the kubelet's gRPC probe from their public Go module; the binaries are kept until the module's sums change.
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

sources=$ROOT/tests/deploy/apiserver
key=$(cat "$sources"/go.mod "$sources"/go.sum "$sources"/*.go "$sources"/*/*.go | sha256sum)
if stamped apiserver "$key" && [[ -x $APISERVER && -x $KUBELET_PROBE ]]; then exit 0; fi
if ! command -v go >/dev/null; then
    echo "needs Go 1.26 or newer to build a kube-apiserver: https://go.dev/doc/install" >&2
    exit 1
fi
version=$(sed -n 's#^require k8s.io/kubernetes ##p' "$sources/go.mod")
about=k8s.io/component-base/version
cd "$sources"
export CGO_ENABLED=0
nice go build -p 2 -trimpath -o "$APISERVER" \
    -ldflags "-s -w -X $about.gitVersion=$version -X $about.gitMajor=1 -X $about.gitMinor=$(cut -d. -f2 <<<"$version")" .
nice go build -p 2 -trimpath -o "$KUBELET_PROBE" -ldflags '-s -w' ./probe
stamp apiserver "$key"
