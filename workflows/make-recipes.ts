interface Rule {
  readonly needs: readonly string[]
  readonly recipe: readonly string[]
}

/**
 * What `make` runs for the targets, as a script: recipes of what a target needs first, each once, with the makefile's plain
 * variables put in. The first target where none is named; every recipe where a name is unknown, since a pattern or an
 * included file may make it. `given`: variables of the command line. Pure; a makefile is text of strangers and is never run.
 */
export function makeRecipes(
  makefile: string,
  targets: readonly string[],
  given: Readonly<Record<string, string>> = {},
): string {
  const { rules, variables } = parse(makefile)
  const names = [...rules.keys()]
  const first = names.find((name) => !name.startsWith('.') && !name.includes('%'))
  const wanted = targets.length > 0 ? targets : first === undefined ? [] : [first]
  const lines = wanted.every((name) => rules.has(name))
    ? linesOf(rules, wanted)
    : names.flatMap((name) => rules.get(name)?.recipe ?? [])
  return lines.map((line) => expand(line, { ...variables, ...given }, DEPTH)).join('\n')
}

/** How many variables that name each other are followed. */
const DEPTH = 8

function linesOf(rules: ReadonlyMap<string, Rule>, wanted: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  const lines: string[] = []
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const rule = rules.get(name)
    rule?.needs.forEach(visit)
    lines.push(...(rule?.recipe ?? []))
  }
  wanted.forEach(visit)
  return lines
}

function parse(makefile: string): {
  readonly rules: ReadonlyMap<string, Rule>
  readonly variables: Readonly<Record<string, string>>
} {
  const rules = new Map<string, Rule>()
  const variables = new Map<string, string>()
  let open: readonly string[] = []
  for (const line of makefile.replace(/[ \t]*\\\r?\n\s*/g, ' ').split(/\r?\n/)) {
    if (line.startsWith('\t')) {
      const command = line.slice(1).replace(/^\s*[@+-]*/, '')
      for (const name of open) add(rules, name, [], command.trim() === '' ? [] : [command])
      continue
    }
    const text = line.replace(/(^|\s)#.*$/, '').trimEnd()
    if (text.trim() === '') continue
    const assigned = /^\s*(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(\?|:{0,3}|\+)=\s*(.*)$/.exec(text)
    const [, name = '', how = '', value = ''] = assigned ?? []
    if (assigned) {
      const before = variables.get(name)
      if (how === '+') variables.set(name, [before, value].filter(Boolean).join(' '))
      else if (how !== '?' || before === undefined) variables.set(name, value)
      continue
    }
    const rule = /^([^:=\s][^:=]*)::?(?!=)\s*([^;]*)(?:;\s*(.*))?$/.exec(text)
    open = rule ? wordsOf(rule[1] ?? '') : []
    const needs = wordsOf((rule?.[2] ?? '').replace('|', ' '))
    for (const target of open) add(rules, target, needs, rule?.[3] ? [rule[3]] : [])
  }
  return { rules, variables: Object.fromEntries(variables) }
}

function add(
  rules: Map<string, Rule>,
  name: string,
  needs: readonly string[],
  recipe: readonly string[],
): void {
  const known = rules.get(name) ?? { needs: [], recipe: [] }
  rules.set(name, { needs: [...known.needs, ...needs], recipe: [...known.recipe, ...recipe] })
}

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** `$(NAME)`, `${NAME}` and `$$`; `$(MAKE)` is make, an unknown variable is nothing. Functions of make stay as they stand. */
function expand(text: string, variables: Readonly<Record<string, string>>, depth: number): string {
  return text.replace(/\$\$|\$\(([\w.-]+)\)|\$\{([\w.-]+)\}/g, (all, round?: string, curly?: string) => {
    if (all === '$$') return '$'
    const name = round ?? curly ?? ''
    if (name === 'MAKE') return 'make'
    const value = variables[name] ?? USUAL[name]
    return value === undefined || depth === 0 ? '' : expand(value, variables, depth - 1)
  })
}

/** What make itself sets, as far as a recipe's command may be written with it. */
const USUAL: Readonly<Record<string, string>> = { CC: 'cc', CXX: 'c++', RM: 'rm -f', SHELL: '/bin/sh' }
