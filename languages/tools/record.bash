# Shared by the wrappers: where a process's report goes, and how it ended. Sourced by bash.

# The tool named $1 on PATH behind folder $2, the wrapper's own.
tool_behind() {
  local name=$1 own=$2 folder rest='' folders
  IFS=: read -r -a folders <<<"$PATH"
  for folder in "${folders[@]}"; do
    [ "$folder" -ef "$own" ] || rest+=${rest:+:}$folder
  done
  PATH=$rest type -P -- "$name" || {
    printf '%s: command not found\n' "$name" >&2
    return 127
  }
}

# Makes a new folder below $ARENA_REPORTS/$1 and prints it. Names sort by start; two processes never share one.
new_report() {
  local kind=$1 folder
  folder=$ARENA_REPORTS/$kind/${EPOCHREALTIME//[!0-9]/}-$BASHPID
  mkdir -p -- "$folder" && printf '%s' "$folder"
}

# The folder $1 relative to the repository that holds it, `.` for the repository itself.
inside_repository() {
  local folder root
  folder=$(cd -- "$1" && pwd -P) || return
  root=${GITHUB_WORKSPACE:-}
  [ -n "$root" ] && root=$(cd -- "$root" 2>/dev/null && pwd -P)
  case $folder/ in
    "${root:-/nowhere}"/*) ;;
    *)
      root=$folder
      while [ ! -e "$root/.git" ] && [ "$root" != / ]; do root=$(dirname -- "$root"); done
      ;;
  esac
  [ "$folder" = "$root" ] && printf '.' || printf '%s' "${folder#"${root%/}/"}"
}

# Writes how a process ended, from its status $2 as the shell saw it, into folder $1, in place of whatever the process has
# put there. Shells give 128 + n for signal n.
record_exit() {
  local folder=$1 status=$2 name
  rm -rf -- "$folder/exit.json"
  if [ "$status" -gt 128 ] && name=$(kill -l "$status" 2>/dev/null); then
    printf '{"code":null,"signal":"SIG%s"}\n' "$name" >"$folder/exit.json"
  else
    printf '{"code":%d,"signal":null}\n' "$status" >"$folder/exit.json"
  fi
}
