# Turns libtest's JSON on standard input into its usual lines. Sourced by run-test.

event='"type": "(suite|test)".*"event": "([a-z]+)"'
name_of='"name": "([^"]*)"'
output_of='"stdout": "(.*)" \}$'
counts='"passed": ([0-9]+), "failed": ([0-9]+), .*"ignored": ([0-9]+), "measured": ([0-9]+), "filtered_out": ([0-9]+)'
failures=()

while IFS= read -r line || [ -n "$line" ]; do
  if ! [[ $line =~ $event ]]; then
    printf '%s\n' "$line"
    continue
  fi
  kind=${BASH_REMATCH[1]} what=${BASH_REMATCH[2]}
  name=
  [[ $line =~ $name_of ]] && name=${BASH_REMATCH[1]}
  case $kind-$what in
    suite-started) [[ $line =~ \"test_count\":\ ([0-9]+) ]] && printf '\nrunning %s tests\n' "${BASH_REMATCH[1]}" ;;
    test-ok) printf 'test %s ... ok\n' "$name" ;;
    test-ignored) printf 'test %s ... ignored\n' "$name" ;;
    test-failed)
      printf 'test %s ... FAILED\n' "$name"
      if [[ $line =~ $output_of ]]; then failures+=("$name" "${BASH_REMATCH[1]}"); fi
      ;;
    suite-ok|suite-failed)
      for ((at = 0; at < ${#failures[@]}; at += 2)); do
        printf '\n---- %s stdout ----\n%b' "${failures[at]}" "${failures[at + 1]}"
      done
      word=ok
      [ "$what" = failed ] && word=FAILED
      if [[ $line =~ $counts ]]; then
        printf '\ntest result: %s. %s passed; %s failed; %s ignored; %s measured; %s filtered out\n\n' \
          "$word" "${BASH_REMATCH[@]:1:5}"
      fi
      ;;
  esac
done
