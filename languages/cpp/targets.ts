import type { RepoView } from '../../src/schema/tree.ts'
import { baseName, folderOf, joinPath, textOf } from '../shared/paths.ts'
import { cppCases } from './cases.ts'

export const isCppSource = (path: string): boolean => /\.(cc|cpp|cxx|c\+\+|C)$/.test(path)

export const stemOf = (path: string): string => baseName(path).replace(/\.[^.]+$/, '')

/** Sources that hold test cases, in the tree's order. */
export const testSources = (tree: RepoView): readonly string[] =>
  tree.list().filter((path) => isCppSource(path) && cppCases(textOf(tree.read(path)) ?? '').length > 0)

/** An executable that a CMake file names, with the sources that it names. */
export interface Executable {
  readonly name: string
  /** Relative to the repository. */
  readonly sources: readonly string[]
}

/** Executables that stand literally in the tree's CMake files; what is made by loops and functions is not seen. */
export function namedExecutables(tree: RepoView): readonly Executable[] {
  return tree
    .list()
    .filter((path) => baseName(path) === 'CMakeLists.txt')
    .flatMap((path) => {
      const text = (textOf(tree.read(path)) ?? '').replaceAll(/#.*$/gm, '')
      return [...text.matchAll(/\badd_executable\s*\(\s*([\w.+-]+)([^)]*)\)/gi)].map((match) => ({
        name: match[1] ?? '',
        sources: (match[2] ?? '')
          .split(/\s+/)
          .map((word) =>
            word.replaceAll(/["']|\$\{(CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR)\}\//g, ''),
          )
          .filter(isCppSource)
          .map((source) => joinPath(folderOf(path), source)),
      }))
    })
}

/** The target that builds a source: as a CMake file says, else the one that is named as the source is. */
export function targetOf(tree: RepoView, path: string): string {
  return namedExecutables(tree).find((executable) => executable.sources.includes(path))?.name ?? stemOf(path)
}

/**
 * The test source that an executable was most likely built from, among those with a wanted case: named by CMake, or named
 * as the executable is; a lone candidate otherwise.
 */
export function sourceOf(
  tree: RepoView,
  executable: string,
  isWanted: (path: string) => boolean,
): string | undefined {
  const candidates = testSources(tree).filter(isWanted)
  const named = namedExecutables(tree).find((known) => known.name === executable)
  return (
    candidates.find((path) => named?.sources.includes(path)) ??
    candidates.find((path) => stemOf(path) === executable) ??
    (candidates.length === 1 ? candidates[0] : undefined)
  )
}

/**
 * An existing test source whose place in the build a new file can take: in the same folder if there is one, and best one
 * that is the only test source of its executable.
 */
export function standIn(tree: RepoView, path: string): string | undefined {
  const sources = testSources(tree).filter((candidate) => candidate !== path)
  const near = sources.filter((candidate) => folderOf(candidate) === folderOf(path))
  const pool = near.length > 0 ? near : sources
  const executables = namedExecutables(tree)
  const isAlone = (candidate: string): boolean => {
    const owner = executables.find((executable) => executable.sources.includes(candidate))
    return owner ? owner.sources.filter((source) => sources.includes(source)).length === 1 : false
  }
  return (
    pool.find(isAlone) ?? pool.find((candidate) => targetOf(tree, candidate) === stemOf(candidate)) ?? pool[0]
  )
}
