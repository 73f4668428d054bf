#!/usr/bin/env bash
# Puts the base that the Dockerfile names into the image store, made from Debian's packages as Debian's own slim image is: this needs no
# registry of images.
set -euo pipefail
cd "$(dirname "$0")"
source ./environment.sh

suite=${BASE_TAG##*:}
suite=${suite%-slim}
if stamped base "$BASE_TAG" && buildah inspect --type image "$BASE_TAG" >/dev/null 2>&1; then exit 0; fi

# mirror SUFFIX: where this machine has Debian's packages from, for the suite with that suffix ("" or "-security").
mirror() {
    # shellcheck disable=SC2016 # the placeholders are apt's
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v wanted="$(. /etc/os-release && echo "$VERSION_CODENAME")$1" '$2 == wanted && $3 == "main" { print $1; exit }'
}
main=$(mirror '')
security=$(mirror -security)
: "${main:?needs a line for main in the sources of apt, and apt-get update}"

tree=$CACHE/base
rm -rf "$tree"
debootstrap --variant=minbase "$suite" "$tree" "$main" >"$CACHE/base.log"
cat >"$tree/etc/apt/sources.list" <<END
deb $main $suite main
deb $main $suite-updates main
END
if [[ -n $security ]]; then echo "deb $security $suite-security main" >>"$tree/etc/apt/sources.list"; fi
# What Debian's slim images leave out, also of packages that come later.
cat >"$tree/etc/dpkg/dpkg.cfg.d/docker" <<'END'
path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/info/*
path-exclude /usr/share/lintian/*
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
END
find "$tree/usr/share/doc" -mindepth 1 -not -name copyright -not -type d -delete
rm -rf "$tree"/usr/share/{info,lintian,locale,man}/* "$tree"/var/lib/apt/lists/* "$tree"/var/cache/apt/*.bin \
    "$tree"/var/cache/apt/archives/*.deb "$tree"/var/cache/debconf/*-old "$tree"/var/log/*.log "$tree"/var/log/apt/*

container=$(buildah from scratch)
buildah copy --quiet "$container" "$tree" / >/dev/null
buildah config --cmd bash --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit --quiet --rm --format docker "$container" "$BASE_TAG" >/dev/null
rm -rf "$tree"
stamp base "$BASE_TAG"
