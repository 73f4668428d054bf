# shellcheck shell=bash
# Sourced by check and driver: says how to get Go where it is missing or too old.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v go >/dev/null || ! go -C "$here" list -m >/dev/null 2>&1; then
    echo "clients/go needs Go 1.26 or newer: https://go.dev/dl/ (with an older Go from 1.21 on, GOTOOLCHAIN=auto fetches it)" >&2
    exit 2
fi
