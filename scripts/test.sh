#!/usr/bin/env bash
# Installs what is missing, then: format and lint, types, unused code, tests. Arguments go to vitest.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --dev --tools
npx biome check --error-on-warnings .
npx tsc -p .
npx knip
npx vitest run "$@"
