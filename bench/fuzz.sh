#!/usr/bin/env bash
# Fuzzes what models send: reading answers, applying them for a role, and diffs that git makes between random trees.
# The tests of the same name run a few of these cases; this runs many, and says what they came to. Of the diffs between trees
# a twentieth is run, three times with other options of git diff: each starts a dozen processes.
#
#   bench/fuzz.sh [CASES] [SEED]    10,000 cases each, and the tests' own seed, when nothing is said
#   FUZZ='test/players/fuzz.test.ts' bench/fuzz.sh    only these
#
# A case that fails is printed in its smallest form, with the seed that finds it again. Two cores: about an hour.
set -euo pipefail
cd "$(dirname "$0")/.."
export ARENA_FUZZ_RUNS=${1:-10000} ARENA_FUZZ_SEED=${2:-20260101}
echo "$ARENA_FUZZ_RUNS cases each, seed $ARENA_FUZZ_SEED"
# shellcheck disable=SC2086
exec npx vitest run ${FUZZ:-test/players/fuzz.test.ts test/arena/fuzz.test.ts test/patch/round-trip.test.ts} --disable-console-intercept=true
