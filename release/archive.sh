#!/bin/sh
# Packs a program as a release has it, with licences, completions of shells and manual pages: archive.sh PROGRAM TARGET FOLDER writes
# FOLDER/neurogauge-TARGET.tar.gz, or .zip for Windows. The same program gives the same bytes where tar is GNU's.
set -eu
program=$1 target=$2 to=$3
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
name=neurogauge-$target
mkdir -p "$to" "$work/$name/completions"
to=$(cd "$to" && pwd)
cp "$program" "$here/LICENSE-MIT" "$here/LICENSE-APACHE" "$here/crates/cli/README.md" "$work/$name"
for shell in bash elvish fish powershell zsh; do
    "$program" help --completions "$shell" > "$work/$name/completions/neurogauge.$shell"
done
"$program" --quiet help --man --out "$work/$name/man"
cd "$work"
case "$target" in
    *windows*) 7z a "$to/$name.zip" "$name" ;;
    *)
        same=
        if tar --version | grep -q GNU; then same='--sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=u+rw,go=rX'; fi
        # shellcheck disable=SC2086 # several words
        tar $same -cf - "$name" | gzip -9 -n > "$to/$name.tar.gz"
        ;;
esac
