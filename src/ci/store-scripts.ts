/**
 * Archives what the patterns take: lines of sign, root and pattern with tabs between, absolute. Files whose name begins with a
 * dot below a root are left out unless ARENA_HIDDEN is yes. Prints the number of files; without any it makes no archive.
 */
export const PACK_SCRIPT = `
shopt -s globstar nullglob dotglob
chosen=()
take() {
  local root=$1 match=$2 file inner
  while IFS= read -r -d '' file; do
    inner=\${file#"\${root%/*}"/}
    [[ $ARENA_HIDDEN = no && /$inner == */.* ]] || chosen+=("$file")
  done < <(if [ "$ARENA_WHOLE" = yes ]; then find "$match" -print0; else find -L "$match" -type f -print0; fi)
}
drop() {
  local match=$1 file rest=()
  for file in "\${chosen[@]}"; do [[ $file == "$match" || $file == "$match"/* ]] || rest+=("$file"); done
  chosen=("\${rest[@]}")
}
while IFS=$'\\t' read -r sign root pattern; do
  [ -n "$pattern" ] || continue
  IFS= found=($pattern)
  for match in "\${found[@]}"; do
    match=\${match%/}
    [ -e "$match" ] || [ -L "$match" ] || continue
    if [ "$sign" = - ]; then drop "$match"; else take "$root" "$match"; fi
  done
done <<< "$ARENA_PATTERNS"
if [ "\${#chosen[@]}" -gt 0 ]; then
  flags=(--no-recursion --null --mtime=@0 --owner=0 --group=0 --numeric-owner)
  if [ "$ARENA_WHOLE" = yes ]; then
    printf '%s\\0' "\${chosen[@]#"$HOME/"}" | LC_ALL=C sort -zu > "$ARENA_LIST"
    tar -P -C "$HOME" "\${flags[@]}" -T "$ARENA_LIST" -cf "$ARENA_ARCHIVE"
  else
    [ -d "$ARENA_ROOT" ] || ARENA_ROOT=$(dirname "$ARENA_ROOT")
    printf '%s\\0' "\${chosen[@]#"\${ARENA_ROOT%/}/"}" | LC_ALL=C sort -zu > "$ARENA_LIST"
    tar -h -C "$ARENA_ROOT" "\${flags[@]}" -T "$ARENA_LIST" -cf "$ARENA_ARCHIVE"
  fi
fi
echo "\${#chosen[@]}"
`

/** An artifact loses the permissions of its files, as on GitHub: 755 for folders, 644 for files. A cache keeps them. */
export const UNPACK_SCRIPT = `
if [ "$ARENA_WHOLE" = yes ]; then
  tar -P -C "$HOME" -xf "$ARENA_ARCHIVE"
else
  mkdir -p "$ARENA_SCRATCH" "$ARENA_FOLDER"
  tar -C "$ARENA_SCRATCH" -xf "$ARENA_ARCHIVE"
  find "$ARENA_SCRATCH" -mindepth 1 -type d -exec chmod 755 {} +
  find "$ARENA_SCRATCH" -type f -exec chmod 644 {} +
  cp -R "$ARENA_SCRATCH/." "$ARENA_FOLDER"
  rm -rf "$ARENA_SCRATCH"
fi
`
