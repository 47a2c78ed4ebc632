#!/bin/sh
# Installs the command neurogauge from the archives of a release. It checks what it downloads against the release's checksums.
#
#     sh install.sh [--to FOLDER] [--from ADDRESS]
#
# FOLDER is where the program goes (~/.local/bin). ADDRESS is where the archives and SHA256SUMS are: a folder, or an address that curl or
# wget reads; by default the release that this script came with.
set -eu

# The release workflow writes its address here.
release='@RELEASE@'

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

# The name of the archive for this machine.
target() {
    system=$(uname -s) machine=$(uname -m)
    case "$system-$machine" in
        Linux-x86_64 | Linux-amd64) found=x86_64-unknown-linux-gnu ;;
        Linux-aarch64 | Linux-arm64) found=aarch64-unknown-linux-gnu ;;
        Darwin-arm64 | Darwin-aarch64) found=aarch64-apple-darwin ;;
        Darwin-x86_64) found=x86_64-apple-darwin ;;
        *) fail "there is no program for $system on $machine; there are for Linux and macOS on x86_64 and aarch64.
  On Windows, take the archive or the Python package; elsewhere build it: cargo install neurogauge" ;;
    esac
    if [ "$system" = Linux ] && (ldd --version 2>&1 || true) | grep -qi musl; then
        fail "this Linux has musl; the program needs glibc 2.17 or later. Build it: cargo install neurogauge"
    fi
    echo "$found"
}

fetch() {
    case "$1" in
        *://*)
            if command -v curl > /dev/null; then
                curl --fail --silent --show-error --location --output "$2" "$1" || fail "$1 cannot be downloaded"
            elif command -v wget > /dev/null; then
                wget --quiet --output-document "$2" "$1" || fail "$1 cannot be downloaded"
            else
                fail "neither curl nor wget is here to download $1"
            fi
            ;;
        *) cp "$1" "$2" || fail "$1 cannot be read" ;;
    esac
}

sha256() {
    if command -v sha256sum > /dev/null; then
        sha256sum "$1"
    elif command -v shasum > /dev/null; then
        shasum --algorithm 256 "$1"
    else
        fail "neither sha256sum nor shasum is here to check what was downloaded"
    fi | cut -d ' ' -f 1
}

install() {
    to=${HOME:-}/.local/bin from=$release
    while [ $# -gt 0 ]; do
        case "$1" in
            --to | --from) [ $# -gt 1 ] || fail "$1 takes a value" ;;
            *) fail "unknown argument $1; expected --to FOLDER or --from ADDRESS" ;;
        esac
        case "$1" in
            --to) to=$2 ;;
            --from) from=$2 ;;
        esac
        shift 2
    done
    case "$from" in
        @*) fail "this copy belongs to no release; say with --from where the archives are" ;;
    esac

    target=$(target)
    archive=neurogauge-$target.tar.gz
    temporary=$(mktemp -d)
    trap 'rm -rf "$temporary"' EXIT
    fetch "$from/SHA256SUMS" "$temporary/SHA256SUMS"
    expected=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$temporary/SHA256SUMS")
    [ -n "$expected" ] || fail "$from/SHA256SUMS does not name $archive; this release has no program for $target"
    fetch "$from/$archive" "$temporary/$archive"
    found=$(sha256 "$temporary/$archive")
    [ "$found" = "$expected" ] || fail "$archive has the SHA-256 $found; expected $expected. Nothing was installed"

    tar -xzf "$temporary/$archive" -C "$temporary"
    program=$temporary/neurogauge-$target/neurogauge
    version=$("$program" --version) || fail "the program of $archive does not run here. Nothing was installed"
    mkdir -p "$to"
    # Put in place in one step, also where the old program is running.
    cp "$program" "$to/.neurogauge.new"
    mv -f "$to/.neurogauge.new" "$to/neurogauge"
    echo "$(echo "$version" | head -n 1) is installed as $to/neurogauge"
    case ":$PATH:" in
        *":$to:"*) ;;
        *) echo "$to is not in PATH; add it: export PATH=\"$to:\$PATH\"" ;;
    esac
}

# Only the last line does something, so that half a download installs nothing.
install "$@"
