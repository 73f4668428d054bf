# Where the scripts beside this file keep what they make; to be sourced. Everything may be deleted, and is then made anew.
# shellcheck shell=bash
CACHE=${MEMSLOT_DEPLOY_CACHE:-/var/tmp/memslot-deploy}
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
export BASE_TAG
BASE_TAG=$(awk '$1 == "FROM" {print $2; exit}' "$ROOT/deploy/docker/Dockerfile")
export IMAGE=localhost/memslot:check APISERVER=$CACHE/kube-apiserver KUBELET_PROBE=$CACHE/kubelet-probe
export PATH=$CACHE/tools/bin:$PATH
export CONTAINERS_STORAGE_CONF=$CACHE/storage.conf CONTAINERS_CONF=$CACHE/containers.conf
export BUILDAH_ISOLATION=chroot

mkdir -p "$CACHE"
# Images and containers of their own, out of the way of those that the machine may have.
cat >"$CONTAINERS_STORAGE_CONF" <<END
[storage]
driver = "overlay"
graphroot = "$CACHE/storage"
runroot = "/run/memslot-deploy-$(cksum <<<"$CACHE" | cut -d" " -f1)"
END
# No systemd, no network that podman would have to set up; limits that a machine without privileges can keep.
cat >"$CONTAINERS_CONF" <<END
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
END

# stamped NAME KEY: whether the thing of that name was made for this key. stamp NAME KEY: now it is.
stamped() { [[ -f $CACHE/$1.stamp && $(<"$CACHE/$1.stamp") == "$2" ]]; }
stamp() { printf '%s' "$2" >"$CACHE/$1.stamp"; }
