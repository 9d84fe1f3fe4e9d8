import type { LanguageAdapter } from '../../languages/adapter.ts'
import { languages } from '../../languages/index.ts'
import { outlineOf } from '../../languages/outlines.ts'

/** `source`: what a submitter changes. `test`: what a reviewer extends. `other`: neither, and in no index. */
export type Lane = 'source' | 'test' | 'other'

const VENDORED = /(^|\/)(vendor|third[-_]party|thirdparty|node_modules|site-packages)\//

const LOOKS_LIKE_TEST =
  /(^|\/)(tests?|testing|testsuite|testdata|__tests__|specs?|fixtures|unittests?)\/|(^|\/)test_[^/]*$|[._-](tests?|spec)\.[^/.]+$|Tests?\.[^/.]+$/

/** Adapters by the outline that shares their files. */
const adapterOf: Readonly<Record<string, Pick<LanguageAdapter, 'classify'>>> = languages

/**
 * Which lane a path is in. A test is what the task's language says is one, or what the file's own does; code that other
 * projects wrote is in none. `adapter`: the task's; undefined when its language is not known.
 */
export function createLaneOf(adapter: Pick<LanguageAdapter, 'classify'> | undefined): (path: string) => Lane {
  return (path) => {
    const outline = outlineOf(path)
    if (!outline || VENDORED.test(path)) return 'other'
    const own = adapterOf[outline.id]
    const classes = [adapter?.classify(path), own?.classify(path)]
    if (classes.includes('workflow')) return 'other'
    if (classes.includes('test') || classes.includes('runner-control')) return 'test'
    return !own && LOOKS_LIKE_TEST.test(path) ? 'test' : 'source'
  }
}
