import type { LanguageAdapter } from './adapter.ts'
import { languages } from './index.ts'

/**
 * The adapter of a repository whose jobs are run as they are: the tests of every language count, whichever language the
 * repository is mainly in. Reports of different tools never share a file.
 */
export function anyLanguage(main: LanguageAdapter): LanguageAdapter {
  const all = Object.values(languages)
  const { warmUp: _, ...rest } = main
  return {
    ...rest,
    isTestCommand: (script) => all.some((adapter) => adapter.isTestCommand(script)),
    reporting(reports) {
      const each = all.map((adapter) => adapter.reporting(reports))
      return {
        env: Object.assign({}, ...each.map(({ env }) => env)) as Record<string, string>,
        joined: each.flatMap(({ joined }) => joined),
        path: [...new Set(each.flatMap(({ path }) => path))],
      }
    },
    readReports: (files) => all.flatMap((adapter) => adapter.readReports(files)),
  }
}
