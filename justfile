# What people do here, and exactly what CI runs. `just` alone lists it.

[private]
default:
    @just --list --unsorted

# ── Use ──────────────────────────────────────────────────────────────────────

# Write the example's files from its prompts
[group('use')]
emit *ARGS='--all':
    cargo run --quiet --release -- --root examples/review-team emit {{ARGS}}

# Fail if the example's files are not what its prompts render to
[group('use')]
check:
    cargo run --quiet --release -- --root examples/review-team emit --check
    cargo run --quiet --release -- --root examples/review-team validate --all

# Write the manual's pages to target/man
[group('use')]
man:
    cargo run --quiet --release -- man --out target/man

# ── Work ─────────────────────────────────────────────────────────────────────

# Run all tests
[group('work')]
test *ARGS:
    cargo test --workspace --locked {{ARGS}}

# Take over what rendered differently, then read the diff
[group('work')]
snapshots:
    INSTA_UPDATE=always cargo test --workspace --locked
    git diff --stat -- snapshots

# Time the stages, then the whole program beside `git status`, `cp` and `wc`; WHOLE goes to the script
[group('work')]
bench *WHOLE:
    cargo bench --bench stages --locked
    cargo build --release --locked
    python3 benches/whole.py --cn target/release/cn {{WHOLE}}

# Edit a store in every way under a watch for so many seconds, and look at what is left (needs Linux)
[group('work')]
soak SECONDS='3600':
    cargo build --release
    python3 benches/soak.py --cn target/release/cn --seconds {{SECONDS}}

# Format
[group('work')]
fmt:
    cargo fmt --all

# Throw mutated input at one property (needs cargo-fuzz): store_line, configuration, markdown_import, front_matter, edited_document
[group('work')]
fuzz TARGET SECONDS='60':
    cd fuzz && cargo fuzz run -O {{TARGET}} -- -max_total_time={{SECONDS}} -timeout=20

# ── Check ────────────────────────────────────────────────────────────────────

# Formatting and lints, warnings denied
[group('check')]
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --features canopy/integrations --locked -- -D warnings
    cargo clippy --package canopy --no-default-features --all-targets --locked -- -D warnings

# The library alone: its tests pass, and no crate of a terminal or a watcher is in its graph
[group('check')]
no-default-features:
    cargo test --package canopy --no-default-features --locked
    @graph=$(cargo tree --package canopy --no-default-features --edges normal --prefix none --locked) \
        && ! echo "$graph" | grep -E '^(clap|notify|inotify|signal-hook|ctrlc|anstream|anstyle|similar|indicatif)[_a-z]* '

# What the README shows, with the real make, ninja, just and pre-commit; fails if one of them is not installed
[group('check')]
integrations *ARGS:
    cargo test --package canopy --features integrations --test integrations --locked {{ARGS}}

# The crate for build scripts: with the library at most 24 crates, none of a terminal, a watcher or a macro's parser
[group('check')]
build-graph:
    @graph=$(cargo tree --package canopy-build --edges normal --prefix none --locked | sed 's/ (\*)$//' | sort -u) \
        && ! echo "$graph" | grep -E '^(clap|notify|anstream|anstyle|similar|indicatif|syn|thiserror)[-_a-z]* ' \
        && test "$(echo "$graph" | wc -l)" -le 24

# Documentation without warnings
[group('check')]
docs:
    RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked

# Licences, sources and duplicates of what we depend on
[group('check')]
deny:
    cargo deny --locked check bans licenses sources

# Known vulnerabilities of what we depend on; asks the network
[group('check')]
advisories:
    cargo deny --locked check advisories

# Everything that CI runs
[group('check')]
ci: lint test no-default-features build-graph integrations docs check
