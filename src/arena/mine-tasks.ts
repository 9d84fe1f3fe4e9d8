import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { languages } from '../../languages/index.ts'
import { InputError } from '../errors.ts'
import type { OnEvent } from '../schema/event.ts'
import { Issue } from '../schema/issue.ts'
import type { LanguageId } from '../schema/language.ts'
import { parseInput, parseJson } from '../schema/parse.ts'
import { Task } from '../schema/task.ts'
import type { RepoView } from '../schema/tree.ts'
import { closingReferences } from '../task/closing-references.ts'
import { git } from '../task/git.ts'
import { gitRepoView } from '../task/repo-view.ts'
import { splitChange } from '../task/split-change.ts'
import { findBase } from './find-base.ts'
import { type CiChoice, findCiJob } from './find-ci-job.ts'
import { nameOfRepository } from './repository-name.ts'

export interface MineRequest {
  /** A local clone. */
  readonly repo: string
  /** File of issues, one JSON object a line, as the forge's API gives them; without it a commit's own message is the statement. */
  readonly issues?: string | undefined
  /** Folder of the task folders that are made. */
  readonly out: string
  /** Tasks to make at most. */
  readonly limit: number
  /** Commits to look at, from the newest on. */
  readonly commits: number
  readonly workflow?: string | undefined
  readonly jobs?: readonly string[] | undefined
  readonly language?: LanguageId | undefined
  /** Whether the tasks run with the version at hand where another is asked for. */
  readonly substitute: boolean
  readonly onEvent: OnEvent
  readonly signal?: AbortSignal | undefined
}

/** How far a commit came: `closing` an issue, `split`, `made` into a task. */
export interface MinedCommit {
  readonly commit: string
  readonly issue: number
  /** Null for a task; else why there is none. */
  readonly loss: string | null
  readonly detail: string
  readonly folder: string | null
}

export interface Mined {
  readonly looked: number
  readonly commits: readonly MinedCommit[]
}

interface Commit {
  readonly id: string
  readonly parent: string
  readonly date: string
  readonly message: string
}

/** Lines of a message that are for the forge, or that say who wrote it. */
const TRAILER =
  /^\s*(?:[A-Z][\w-]*-by:|(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+\S*#\d+|Merge (?:pull request|branch)).*$/gim

/**
 * Makes tasks of a clone's history: of each commit on the first-parent line that closes an issue, the change against its
 * parent. A folder that is there already is left as it is, so that a call that was stopped goes on. Each commit that closes an
 * issue is in the answer, with the reason when it makes no task. Throws InputError that names the flag at fault.
 */
export async function mineTasks(request: MineRequest): Promise<Mined> {
  const { root, baseCommit } = await findBase(resolve(request.repo), 'base', 'HEAD')
  const issues = request.issues === undefined ? undefined : await readIssues(request.issues)
  const repository = await nameOfRepository(root)
  const commits = await commitsOf(root, baseCommit, request.commits)
  const mined: MinedCommit[] = []
  let made = 0
  for (const commit of commits) {
    request.signal?.throwIfAborted()
    if (made >= request.limit) break
    const [issue] = closingReferences(commit.message)
    if (issue === undefined) continue
    const ended = await mineCommit(request, { root, repository, issues }, commit, issue)
    if (ended.loss === null) made += 1
    mined.push(ended)
    request.onEvent({ kind: 'commit-mined', commit: commit.id.slice(0, 12), issue, loss: ended.loss })
  }
  return { looked: commits.length, commits: mined }
}

interface Source {
  readonly root: string
  readonly repository: string
  readonly issues: ReadonlyMap<number, Issue> | undefined
}

async function mineCommit(
  request: MineRequest,
  { root, repository, issues }: Source,
  commit: Commit,
  number: number,
): Promise<MinedCommit> {
  const about = { commit: commit.id, issue: number }
  const lost = (loss: string, detail = ''): MinedCommit => ({ ...about, loss, detail, folder: null })
  const issue = issues?.get(number)
  if (issues && !issue) return lost('no-issue', `issue ${number} is not in the file`)
  if (issue && Date.parse(issue.created_at) > Date.parse(commit.date))
    return lost('issue-after-fix', `written ${issue.created_at}, fixed ${commit.date}`)
  const before = await gitRepoView(root, commit.parent)
  const ci = ciOf(before, request)
  if (typeof ci === 'string') return lost('no-ci', ci)
  const { language, others: _, ...chosen } = ci
  const after = await gitRepoView(root, commit.id)
  const adapter = languages[language]
  const split = await splitChange({
    repo: root,
    base: commit.parent,
    commit: commit.id,
    adapter,
    before,
    after,
  })
  if (split.kind === 'loss') return lost(split.loss, split.detail)
  const statement = issue ? statementOf(issue) : commit.message.replace(TRAILER, '').trim()
  if (statement === '') return lost('no-statement')
  const name = `${repository.split('/')[1] ?? 'task'}-${number}`.toLowerCase().replace(/[^a-z0-9._-]+/g, '-')
  const folder = join(request.out, name)
  const licence = licenceOf(before)
  const task = parseInput(
    Task,
    {
      schemaVersion: 1,
      id: name,
      repository: { name: repository, path: root },
      language,
      baseCommit: commit.parent,
      statements: { original: 'issue.md' },
      origin: 'mined',
      goldenPatch: 'golden.patch',
      testPatch: 'tests.patch',
      ci: { ...chosen, network: 'set-up', ...(request.substitute ? { substitute: true } : {}) },
      FAIL_TO_PASS: [],
      PASS_TO_PASS: [],
      created: new Date(issue?.created_at ?? commit.date).toISOString(),
      source: `${repository}@${commit.id}, issue ${number}${issue ? '' : ' (the statement is the commit’s message)'}`,
      ...(licence === undefined ? {} : { licence }),
    },
    folder,
  )
  if (!(await stat(join(folder, 'task.json')).catch(() => undefined)))
    await writeFolder(folder, {
      'task.json': `${JSON.stringify(task, null, 2)}\n`,
      'issue.md': `${statement}\n`,
      'golden.patch': split.golden,
      'tests.patch': split.tests,
    })
  return { ...about, loss: null, detail: '', folder }
}

/** The whole folder or none of it, whatever happens in between. */
async function writeFolder(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  const draft = `${folder}.making`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(draft, name), content)
  await rename(draft, folder)
}

function ciOf(view: RepoView, request: MineRequest): CiChoice | string {
  try {
    return findCiJob(view, request, 'the parent commit')
  } catch (error) {
    if (error instanceof InputError) return error.message
    throw error
  }
}

async function commitsOf(root: string, head: string, most: number): Promise<readonly Commit[]> {
  const format = '%H%x1f%P%x1f%aI%x1f%B%x1e'
  const said = await git(root, ['log', '--first-parent', `--max-count=${most}`, `--format=${format}`, head])
  return said
    .toString('utf8')
    .split('\x1e')
    .flatMap((entry): Commit[] => {
      const [id = '', parents = '', date = '', message = ''] = entry.trim().split('\x1f')
      const parent = parents.split(' ')[0] ?? ''
      return id === '' || parent === '' ? [] : [{ id, parent, date, message }]
    })
}

async function readIssues(path: string): Promise<ReadonlyMap<number, Issue>> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new InputError('--issues: cannot be read', { place: path, remedy: 'check the path', cause })
  })
  const issues = new Map<number, Issue>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const place = `${path}:${index + 1}`
    const issue = parseInput(Issue, parseJson(line, place), place, 'one JSON object a line')
    issues.set(issue.number, issue)
  }
  return issues
}

const statementOf = ({ title, body }: Issue): string =>
  `${title}\n\n${(body ?? '').replaceAll('\r\n', '\n').trim()}`.trim()

const LICENCES: readonly (readonly [string, RegExp])[] = [
  ['Apache-2.0', /Apache License\s+Version 2\.0/],
  ['MIT', /Permission is hereby granted, free of charge/],
  ['BSD-3-Clause', /Redistribution and use in source and binary forms[\s\S]*Neither the name/],
  ['BSD-2-Clause', /Redistribution and use in source and binary forms/],
  ['MPL-2.0', /Mozilla Public License,? (?:Version|version) 2\.0/],
  ['Unlicense', /This is free and unencumbered software released into the public domain/],
  ['ISC', /Permission to use, copy, modify, and\/or distribute this software/],
]

/** SPDX ids of the licence files at the root, joined by OR; undefined when none is known. */
function licenceOf(view: RepoView): string | undefined {
  const files = view
    .list()
    .filter((path) => /^(LICEN[CS]E|COPYING|UNLICENSE)[\w.-]*$/i.test(basename(path)) && !path.includes('/'))
  const ids = files.flatMap((path) => {
    const text = view.read(path)?.toString('utf8').replace(/\s+/g, ' ') ?? ''
    const found = LICENCES.find(([, pattern]) => pattern.test(text))
    return found ? [found[0]] : []
  })
  return ids.length === 0 ? undefined : [...new Set(ids)].sort().join(' OR ')
}
