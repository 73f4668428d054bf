#!/usr/bin/env bash
# Builds deploy/docker/Dockerfile as it stands. Layers whose inputs are the same are taken from the run before.
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

# Where pip's own file names the certificates of a proxy, both are lent to the build, and neither stays in the image.
mounts=()
if [[ -f /etc/pip.conf ]]; then
    certificates=$(sed -n 's/^cert *= *//p' /etc/pip.conf)
    sed 's#^cert *=.*#cert = /run/pip-certificates#' /etc/pip.conf >"$CACHE/pip.conf"
    mounts+=(--volume "$CACHE/pip.conf:/etc/pip.conf:ro")
    if [[ -n $certificates ]]; then mounts+=(--volume "$certificates:/run/pip-certificates:ro"); fi
fi
buildah bud --quiet --layers --pull-never --format docker "${mounts[@]}" \
    --file "$ROOT/deploy/docker/Dockerfile" --ignorefile "$ROOT/deploy/docker/Dockerfile.dockerignore" \
    --build-arg VERSION="$(awk -F '"' '/^version = /{print $2; exit}' "$ROOT/pyproject.toml")" \
    --build-arg REVISION="$(git -C "$ROOT" rev-parse HEAD 2>/dev/null || true)" \
    --tag "$IMAGE" "$ROOT"
