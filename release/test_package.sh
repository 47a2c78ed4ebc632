#!/bin/sh
# Packages every crate as it would be published, installs the command from these packages and nothing else of the working tree, and runs it.
# Compiled crates are kept in target/test-package, so that a second time takes less.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
cargo=${CARGO:-cargo}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/source" "$work/crates" "$work/demo"
git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- -cf - | tar -xf - -C "$work/source"
# A release names its repository; the name is put in as a maintainer would.
repository=https://example.org/neurogauge
python3 release/name_repository.py --root "$work/source" "$repository"

echo "packaging"
"$cargo" package --quiet --workspace --no-verify --exclude neurogauge-python --exclude neurogauge-tests \
    --manifest-path "$work/source/Cargo.toml" --target-dir "$work/packed"
for packed in "$work"/packed/package/*.crate; do
    tar -xzf "$packed" -C "$work/crates"
done
rm -rf "$work/source" "$work/packed"

# What stands for the registry: each crate's package in place of the published one. The profile is that of `make demo`, and profiles do not
# travel with a package.
config=$work/config.toml
sed -n '/^\[profile\.demo/,$p' Cargo.toml > "$config"
echo '[patch.crates-io]' >> "$config"
for crate in "$work"/crates/neurogauge-*; do
    name=$(basename "$crate" | sed 's/-[0-9][0-9.]*$//')
    grep -q "^repository = \"$repository\"" "$crate/Cargo.toml" || { echo "$name does not name its repository" >&2; exit 1; }
    [ "$name" = neurogauge ] || echo "$name = { path = \"$crate\" }" >> "$config"
done

echo "installing from $(find "$work/crates" -mindepth 1 -maxdepth 1 | wc -l) packages"
cd "$work/demo"
"$cargo" install --quiet --path "$work"/crates/neurogauge-[0-9]* --profile demo --config "$config" --root "$work/installed" \
    --target-dir "${CARGO_TARGET_DIR:-$root/target}/test-package" --no-track
export PATH="$work/installed/bin:$PATH"

echo "running"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
[ "$(neurogauge --version | head -n 1)" = "neurogauge $version" ]
neurogauge demo > printed 2>&1
grep -q "pairs scored" printed
[ "$(wc -l < demo-run/run/scores.csv)" -eq 9 ]
neurogauge cite demo-run/run | grep -q "Neurogauge"
neurogauge report demo-run/run --out report.html
grep -q "<script" report.html
echo "neurogauge $version installs from its packages and runs"
