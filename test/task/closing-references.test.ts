import { describe, expect, test } from 'vitest'
import { closingReferences } from '../../src/task/closing-references.ts'

describe('issues that a commit closes', () => {
  test.each([
    ['Refuse negative sides (fixes #12)', [12]],
    ['Closes: #3, resolves owner/name#4 and fixed GH-5', [3, 4, 5]],
    ['Close https://forge.example/owner/name/issues/77', [77]],
    ['Fix #9\n\nFixes #9, closes #10', [9, 10]],
    ['Merge pull request #12 from ann/fix-34-empty-input', [34]],
    ["Merge branch 'issue/56' into main", [56]],
    ['Merge pull request #12 from ann/release-2024', []],
    ['See #12; prefixes #13; a fix for 14', []],
    ['Fix the parser', []],
  ])('%s', (message, expected) => {
    expect(closingReferences(message)).toEqual(expected)
  })
})
