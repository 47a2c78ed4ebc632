#!/bin/sh
# Looks at a release's archive for Linux: test_binary.sh ARCHIVE. The program must ask for no glibc later than 2.17, and run
# the demo in a root that has nothing but the C library and libgcc. It takes root's rights and binutils.
set -eu
archive=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/tmp"
tar -xzf "$archive" -C "$root" --strip-components=1
latest=$(readelf --version-info --wide "$root/neurogauge" | grep -o 'GLIBC_[0-9.]*' | sort -u -V | tail -n 1)
[ "$(printf '%s\n' "$latest" GLIBC_2.17 | sort -V | tail -n 1)" = GLIBC_2.17 ] || { echo "the program asks for $latest" >&2; exit 1; }
bytes=$(wc -c < "$root/neurogauge")
# The C library and that of the compiler are all that it may ask for.
for library in $(ldd "$root/neurogauge" | grep -o '/[^ ]*'); do
    case "$library" in
        */ld-linux* | */libc.so* | */libm.so* | */libpthread.so* | */libdl.so* | */librt.so* | */libgcc_s.so*) ;;
        *) echo "the program asks for $library" >&2; exit 1 ;;
    esac
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
done
chroot "$root" /neurogauge --version
chroot "$root" /neurogauge demo --out /tmp/demo > "$root/printed" 2>&1 || { cat "$root/printed" >&2; exit 1; }
grep "pairs scored" "$root/printed"
for file in completions/neurogauge.bash completions/neurogauge.zsh man/neurogauge.1 man/neurogauge-score.1 LICENSE-MIT; do
    [ -s "$root/$file" ] || { echo "the archive has no $file" >&2; exit 1; }
done
echo "$(basename "$archive"): $bytes bytes, $latest"
