#!/usr/bin/env bash
# Installs what is missing, plays the demo season, prints the standings and serves the leaderboard (--no-serve ends instead).
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
"$here/scripts/setup.sh" --tools
exec node "$here/dist/arena.mjs" demo "$@"
