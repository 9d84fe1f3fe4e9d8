import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LanguageId } from '../../src/schema/language.ts'

/** A new C++ test file is registered with the build, as the arena does it. */
export function registerTest(folder: string, language: LanguageId, path: string): void {
  if (language !== 'cpp') return
  const lists = join(folder, 'CMakeLists.txt')
  const name = path.replace(/^tests\/|\.cpp$/g, '')
  if (readFileSync(lists, 'utf8').includes(`add_executable(${name} `)) return
  const library = /add_library\((\w+)/.exec(readFileSync(lists, 'utf8'))?.[1]
  appendFileSync(
    lists,
    `add_executable(${name} ${path})\ntarget_link_libraries(${name} PRIVATE ${library})\nadd_test(NAME ${name} COMMAND ${name})\n`,
  )
}
