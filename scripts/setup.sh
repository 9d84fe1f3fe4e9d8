#!/usr/bin/env bash
# Makes this checkout ready: setup.sh [--dev] [--tools]
#   packages and build always; --dev also what the checks need; --tools also sandbox and toolchains of the four languages.
# Everything that stands ready is left alone, so that a second run is quick and works without a network.
set -euo pipefail
cd "$(dirname "$0")/.."
dev=no tools=no
for flag in "$@"; do
  case $flag in
    --dev) dev=yes ;;
    --tools) tools=yes ;;
    *) echo "setup.sh: unknown flag $flag" >&2; exit 2 ;;
  esac
done
say() { printf 'setup: %s\n' "$*" >&2; }

if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; then
  say "Node $(node --version) is too old; install Node 20.19 or newer"
  exit 2
fi

# node_modules/.arena-installed holds the lock file's digest and what was installed.
lock=$(node -e 'process.stdout.write(require("node:crypto").createHash("sha256").update(require("node:fs").readFileSync("package-lock.json")).digest("hex"))')
installed=$(cat node_modules/.arena-installed 2>/dev/null || true)
if [ "$installed" != "$lock all" ] && { [ $dev = yes ] || [ "$installed" != "$lock run" ]; }; then
  if [ $dev = yes ]; then
    say 'installing packages (npm ci)'
    npm ci --no-audit --no-fund --loglevel=error >&2
    echo "$lock all" >node_modules/.arena-installed
  else
    say 'installing packages (npm ci --omit=dev)'
    npm ci --omit=dev --no-audit --no-fund --loglevel=error >&2
    echo "$lock run" >node_modules/.arena-installed
  fi
fi

if [ ! -e dist/arena.mjs ] || [ -n "$(find src workflows languages leaderboard package-lock.json scripts/build.mjs -newer dist/arena.mjs -type f -print -quit)" ]; then
  say 'building'
  node scripts/build.mjs
fi

[ $tools = yes ] || exit 0
# The Debian package of each thing that is missing.
missing=()
has() { command -v "$1" >/dev/null 2>&1; }
has bwrap || missing+=(bubblewrap)
has g++ || missing+=(g++)
has make || missing+=(make)
has cmake || missing+=(cmake)
{ has python3 && python3 -c 'import pytest' 2>/dev/null; } || missing+=(python3-pytest)
has cargo || missing+=(cargo)
has go || missing+=(golang-go)
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$(id -u)" != 0 ] || ! has apt-get; then
  # The command itself says which languages cannot be played and how to get them.
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
# Megabytes to download; empty when the package lists are not there.
megabytes() { apt-get install --no-install-recommends --print-uris -y "${missing[@]}" 2>/dev/null | awk '/^\x27/ {s += $3} END {if (NR > 0 && s > 0) printf "%d", s / 1e6}'; }
size=$(megabytes || true)
if [ -z "$size" ]; then
  apt-get update -qq >&2 || { say 'the package lists cannot be fetched; playing with the tools that are here'; exit 0; }
  size=$(megabytes || true)
fi
say "installing ${missing[*]} from the distribution's packages (${size:-unknown} MB to download)"
if ! apt-get install -y -qq --no-install-recommends "${missing[@]}" >/tmp/arena-setup.$$ 2>&1; then
  tail -5 /tmp/arena-setup.$$ >&2
  say 'not everything could be installed; playing with the tools that are here'
fi
rm -f /tmp/arena-setup.$$
