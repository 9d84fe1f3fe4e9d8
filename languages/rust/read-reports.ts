import type { ProcessReport } from '../../src/schema/test-result.ts'
import type { ReportFiles } from '../adapter.ts'
import { withExit } from '../shared/check-exit.ts'
import { parseExit, reportFolders } from '../shared/json-lines.ts'
import { numberRepeats } from '../shared/number-repeats.ts'
import { binaryOf, suiteOf, type TestBinary } from './binary.ts'
import { type LibtestOutput, parseLibtestJson, parseLibtestText } from './libtest.ts'

/** What the runner of test binaries and the stand-in for rustdoc wrote: one process a binary and run. */
export function readCargoReports(files: ReportFiles): readonly ProcessReport[] {
  const binaries = reportFolders(files, 'cargo').map(({ file }) => {
    const text = (name: string): string => file(name)?.toString('utf8').trim() ?? ''
    const binary = binaryOf(text('package') || '.', text('source'), text('binary'))
    const json = file('output.json')
    const output = json ? parseLibtestJson(json.toString('utf8')) : parseLibtestText(text('output.txt'))
    return toReport(binary, output, file('exit.json'))
  })
  const documentation = reportFolders(files, 'rustdoc').map(({ file }) => {
    const text = (name: string): string => file(name)?.toString('utf8').trim() ?? ''
    const binary: TestBinary = { kind: 'doc', folder: text('package') || '.', name: text('binary') || 'doc' }
    return toReport(binary, parseLibtestText(text('output.txt')), file('exit.json'))
  })
  return numberRepeats([...binaries, ...documentation])
}

function toReport(binary: TestBinary, output: LibtestOutput, exitFile: Buffer | undefined): ProcessReport {
  const suite = suiteOf(binary)
  const cases = output.cases.map((result) => ({ suite, ...result }))
  return withExit({ process: `cargo:${suite}`, cases, complete: output.complete }, parseExit(exitFile))
}
