import { type ActionCall, type ActionEffect, type ActionMapping, quoted, unsupported } from './action.ts'

/** An action that calls CMake as its inputs say: the script that a person would write. */
export const cmakeAction: ActionMapping = {
  actions: ['threeal/cmake-action'],
  map(call) {
    const cmake = call.tools.cmake
    if (!cmake) return unsupported('cmake not found')
    return scripted(call, `cmake ${cmake.version} is at hand`)
  },
}

function scripted(call: ActionCall, note: string): ActionEffect {
  const { with: given } = call
  const build = quoted(given['build-dir'] || 'build')
  const defined = Object.entries({
    CMAKE_C_COMPILER: given['c-compiler'],
    CMAKE_CXX_COMPILER: given['cxx-compiler'],
    CMAKE_C_FLAGS: given['c-flags'],
    CMAKE_CXX_FLAGS: given['cxx-flags'],
  }).flatMap(([name, value]) => (value ? [quoted(`-D${name}=${value}`)] : []))
  // As shell words, since quotes hold values with blanks together there too.
  const options = (given.options ?? '')
    .split('\n')
    .flatMap((line) => line.match(/(?:[^\s"]|"[^"]*")+/g) ?? [])
    .map((word) => quoted(`-D${word.replaceAll('"', '')}`))
  const words = [
    'cmake',
    quoted(given['source-dir'] || '.'),
    `-B ${build}`,
    ...(given.generator ? [`-G ${quoted(given.generator)}`] : []),
    ...defined,
    ...options,
    given.args ?? '',
  ]
  const run = given['run-build'] === 'false' ? '' : `cmake --build ${build} ${given['build-args'] ?? ''}\n`
  return {
    kind: 'script',
    script: `${words.join(' ').trim()}\n${run}`,
    class: 'both',
    env: {},
    notes: [note],
  }
}
