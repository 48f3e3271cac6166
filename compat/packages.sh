# Functions that fetch packages from the registry, and test them with one of our packages in the place of
# another. For scripts that set, and run in the root of the project:
#
#     folder      a folder under target, which is emptied
#     replaced    the name of the package that our package replaces
#     dropin      the folder of our package

# shellcheck shell=bash disable=SC2154

export CARGO_TARGET_DIR=$folder/target CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
# Without optimisation, utflane contains only the scalar kernel.
optimised=--config=profile.dev.package.utflane.opt-level=1
patch=(--config "patch.crates-io.$replaced.path='$dropin'")

# `fetch_packages NAME=VERSION...` copies the sources of each package to $folder/src/NAME, as a separate
# workspace. The package $folder/src/fetch depends on all of them. The first one must be a library.
fetch_packages() {
    local package manifest registry
    rm -rf "$folder/src"
    mkdir -p "$folder/src/fetch/src"
    touch "$folder/src/fetch/src/lib.rs"
    {
        printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n'
        for package; do echo "${package%=*} = \"=${package#*=}\""; done
    } >"$folder/src/fetch/Cargo.toml"
    # The metadata lack packages that are not libraries. Their sources are in the same folder.
    registry=$(cargo metadata --quiet --format-version 1 --manifest-path "$folder/src/fetch/Cargo.toml" |
        grep -o '"manifest_path":"[^"]*"' | cut -d '"' -f 4 | grep -F "/${1/=/-}/Cargo.toml")
    registry=$(dirname "$(dirname "$registry")")
    for package; do
        cp -r "$registry/${package/=/-}" "$folder/src/${package%=*}"
        manifest=$folder/src/${package%=*}/Cargo.toml
        grep -qx '\[workspace\]' "$manifest" || printf '\n[workspace]\n' >>"$manifest"
    done
}

# `use_dropin` makes the package in the current folder depend on ours. Fails if it uses another one.
use_dropin() {
    local used
    # Only our package is updated. The other dependencies keep the versions in the lock file.
    cargo update --quiet "${patch[@]}" "$replaced"
    used=$(cargo tree --quiet "${patch[@]}" --invert "$replaced" --depth 0)
    echo "  $used"
    grep -q "^$replaced v0\.1\.99 " <<<"$used" || { echo "  the package does not use our $replaced"; exit 1; }
}

# `test_package NAME MINIMUM OPTION...` runs the tests of a package with ours. Fails if fewer than MINIMUM
# tests pass.
test_package() {
    local name=$1 minimum=$2 passed
    shift 2
    echo "$name"
    (
        cd "$folder/src/$name"
        use_dropin
        timeout 600 cargo test --quiet "$optimised" "${patch[@]}" "$@" >"$folder/log-$name" 2>&1 ||
            { grep -E '^(error|test .*FAILED|    [a-z_:0-9]+$)' "$folder/log-$name" | tail -n 40; exit 1; }
    )
    passed=$(awk '/^test result: ok/ { sum += $4 } END { print sum + 0 }' "$folder/log-$name")
    echo "  $passed tests passed"
    [ "$passed" -ge "$minimum" ] || { echo "  fewer than $minimum tests passed"; return 1; }
}
