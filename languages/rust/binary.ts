import { baseName, folderOf, joinPath } from '../shared/paths.ts'

/** A test binary of Cargo. `folder`: the package's, relative to the repository. */
export interface TestBinary {
  readonly kind: 'unit' | 'test' | 'bin' | 'example' | 'bench' | 'doc'
  readonly folder: string
  readonly name: string
}

/** `test:NAME` in the repository's root package, `test:FOLDER/NAME` elsewhere, so that equal names stay apart. */
export const suiteOf = ({ kind, folder, name }: TestBinary): string => `${kind}:${joinPath(folder, name)}`

export function parseSuite(suite: string): TestBinary | undefined {
  const match = /^(unit|test|bin|example|bench|doc):(.+)$/.exec(suite)
  if (!match?.[2]) return undefined
  const kind = match[1] as TestBinary['kind']
  return { kind, folder: folderOf(match[2]), name: baseName(match[2]) }
}

/** What a binary is, from its root source (relative to the workspace, or unknown) and its file's name without the hash. */
export function binaryOf(folder: string, source: string, stem: string): TestBinary {
  const kind = kindOf(source)
  const file = baseName(source).replace(/\.rs$/, '')
  const given = file === 'main' && kind !== 'bin' ? baseName(folderOf(source)) : file
  // File names of binaries have underscores for the dashes of their names.
  const name = given.replaceAll('-', '_') === stem && kind !== 'unit' ? given : stem
  return { kind, folder, name }
}

function kindOf(source: string): TestBinary['kind'] {
  if (/(^|\/)src\/bin\//.test(source) || /(^|\/)src\/main\.rs$/.test(source)) return 'bin'
  if (/(^|\/)src\//.test(source) || /(^|\/)lib\.rs$/.test(source) || source === '') return 'unit'
  if (/(^|\/)examples\//.test(source)) return 'example'
  return /(^|\/)benches\//.test(source) ? 'bench' : 'test'
}

/** Where Cargo looks for the root source of a binary when its manifest does not say. */
export function rootSources({ kind, folder, name }: TestBinary): readonly string[] {
  const places = {
    unit: ['src/lib.rs'],
    test: [`tests/${name}.rs`, `tests/${name}/main.rs`],
    bin: [`src/bin/${name}.rs`, `src/bin/${name}/main.rs`, 'src/main.rs'],
    example: [`examples/${name}.rs`, `examples/${name}/main.rs`],
    bench: [`benches/${name}.rs`, `benches/${name}/main.rs`],
    doc: [],
  }
  return places[kind].map((place) => joinPath(folder, place))
}
