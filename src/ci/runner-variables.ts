/**
 * Variables by which a step would steer the tools that judge the steps after it: code that every shell or test process
 * runs first, and what is the arena's own. Never kept, whichever tree's code wrote them.
 */
const NEVER =
  /^(ARENA_.*|BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|ENV|LD_PRELOAD|LD_AUDIT|PYTHONSTARTUP|PYTHONHOME|PYTEST_PLUGINS|PYTEST_ADDOPTS)$/

/** Variables that choose tools, loaders, plugins and options of tests, which workflows have honest uses for. */
const NAMED_ONLY =
  /^(PATH|LD_.*|PYTHON(PATH|USERBASE|WARNINGS|BREAKPOINT|PLATLIBDIR)|PYTEST_.*|COVERAGE_PROCESS_START|GTEST_.*|CTEST_.*|GO(FLAGS|ENV|ROOT|TOOLCHAIN)|RUSTC.*|RUSTDOC.*|RUSTFLAGS|RUST_TEST_.*|CARGO_(TARGET|BUILD|ENCODED)_.*)$/

/** Names shown in a note, and characters of one. */
const SHOWN = 10
const SHOWN_LENGTH = 60

/** What a step wrote into one of its command files: what later steps see of it, and a note on the rest. */
export interface Kept<T> {
  readonly kept: readonly T[]
  readonly notes: readonly string[]
}

/**
 * The variables that later steps see. Those that steer tests are kept only if the script, which is base's on every tree,
 * names them: what a candidate's build writes by itself must not reach the tools that run its tests.
 */
export function keptVariables(
  entries: readonly (readonly [string, string])[],
  script: string,
): Kept<readonly [string, string]> {
  const named = new Set(script.split(/\W+/))
  const isKept = (name: string): boolean => !NEVER.test(name) && (!NAMED_ONLY.test(name) || named.has(name))
  const dropped = entries.flatMap(([name]) => (isKept(name) ? [] : [name]))
  return { kept: entries.filter(([name]) => isKept(name)), notes: noteOn('GITHUB_ENV', dropped) }
}

/** The folders that go before PATH in later steps: only those of a script that names the file which they are written to. */
export function keptFolders(folders: readonly string[], script: string): Kept<string> {
  return /GITHUB_PATH|github\.path/i.test(script)
    ? { kept: folders, notes: [] }
    : { kept: [], notes: noteOn('GITHUB_PATH', folders) }
}

function noteOn(file: string, dropped: readonly string[]): readonly string[] {
  const names = [...new Set(dropped)]
  if (names.length === 0) return []
  const shown = names.slice(0, SHOWN).map((name) => name.slice(0, SHOWN_LENGTH))
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return [`${file}: not kept, since it steers the tools that run tests: ${shown.join(', ')}${more}`]
}
