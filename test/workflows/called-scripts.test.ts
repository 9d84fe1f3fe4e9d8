import { describe, expect, test } from 'vitest'
import { calledScripts } from '../../workflows/called-scripts.ts'
import { makeRecipes } from '../../workflows/make-recipes.ts'
import { scriptClass } from '../../workflows/step-class.ts'

const MAKEFILE = `# a project's own
PYTHON ?= python3
FLAGS = -q $(MORE)
MORE := --strict-markers
TESTS = tests \\
    examples

.PHONY: test
init:
	@$(PYTHON) -m pip install -r requirements.txt
build: init
	\${PYTHON} setup.py build_ext
test: build
	-$(PYTHON) -m pytest $(FLAGS) $(TESTS)
	echo $$HOME
check: ; ./scripts/check.sh
%.o: %.c
	$(CC) -c $<
`

describe('what make runs', () => {
  test('the first target where none is named, and what a target needs before it', () => {
    expect(makeRecipes(MAKEFILE, [])).toBe('python3 -m pip install -r requirements.txt')
    expect(makeRecipes(MAKEFILE, ['test']).split('\n')).toEqual([
      'python3 -m pip install -r requirements.txt',
      'python3 setup.py build_ext',
      'python3 -m pytest -q --strict-markers tests examples',
      'echo $HOME',
    ])
  })
  test('with variables of the command line, and recipes on the line of their target', () => {
    expect(makeRecipes(MAKEFILE, ['init'], { PYTHON: 'pypy3' })).toBe(
      'pypy3 -m pip install -r requirements.txt',
    )
    expect(makeRecipes(MAKEFILE, ['check'])).toBe('./scripts/check.sh')
  })
  test('everything where a target is made by a rule that is not followed', () => {
    expect(makeRecipes(MAKEFILE, ['all-of-it']).split('\n')).toContain('./scripts/check.sh')
  })
  test('each once, also when targets need each other in a circle', () => {
    expect(makeRecipes('a: b\n\techo a\nb: a\n\techo b\n', ['a'])).toBe('echo b\necho a')
  })
  test('variables that name themselves end', () => {
    expect(makeRecipes('A = $(A) x\nall:\n\techo $(A)\n', [])).toMatch(/^echo/)
  })
})

const FILES: Readonly<Record<string, string>> = {
  Makefile: MAKEFILE,
  'sub/Makefile': 'all:\n\tgo test ./...\n',
  'scripts/check.sh': '#!/usr/bin/env bash\ncd sub && make\n',
  'scripts/tool.py': '#!/usr/bin/env python3\nprint(1)\n',
  'scripts/loop.sh': '#!/bin/sh\nscripts/loop.sh\n',
}
const readFile = (path: string): string | undefined => FILES[path]
const called = (script: string) => calledScripts(script, { readFile })

describe('scripts that a step calls', () => {
  test('are followed through shell scripts, folders and make', () => {
    expect(called('make check').map(({ folder }) => folder)).toEqual(['', '', 'sub'])
    expect(called('bash scripts/check.sh').at(-1)).toEqual({ text: 'go test ./...', folder: 'sub' })
    expect(called('cd sub\nmake -j 4 all')).toEqual([{ text: 'go test ./...', folder: 'sub' }])
    expect(called('make -C sub')).toEqual([{ text: 'go test ./...', folder: 'sub' }])
  })
  test('are shell scripts of the tree alone', () => {
    expect(called('scripts/tool.py; scripts/absent.sh; pytest; make -f absent.mk')).toEqual([])
  })
  test('end when they call themselves', () => {
    expect(called('scripts/loop.sh').length).toBeLessThan(10)
  })
})

describe('the class of a step that calls make', () => {
  test.each([
    ['make', 'warm'],
    ['make init', 'warm'],
    ['make build', 'both'],
    ['make check', 'both'],
    ['make -C sub && echo done', 'both'],
  ])('%s: %s', (script, expected) => {
    expect(scriptClass(script, { readFile })).toBe(expected)
  })
})
