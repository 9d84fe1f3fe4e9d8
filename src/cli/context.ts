import { resolve } from 'node:path'
import { type ContextAnswer, retrieveContext } from '../arena/retrieve-context.ts'
import { InputError } from '../errors.ts'
import { ContextLane, ContextVariant, Tokenizer } from '../schema/context.ts'
import { LanguageId } from '../schema/language.ts'
import { type Command, type CommandContext, numberFlag, textFlag } from './command.ts'
import { plainText } from './plain-text.ts'
import { renderTable } from './table.ts'
import { printJson } from './with-arena.ts'

const left = (title: string) => ({ title, align: 'left' as const })
const right = (title: string) => ({ title, align: 'right' as const })

/** Files of the ranking that people are shown. */
const MOST_ROWS = 20

const shown = (value: number): string => (value === 0 ? '–' : value.toFixed(2))

function rankingTable({ ranking }: ContextAnswer, part: 'source' | 'test'): string[] {
  const rows = ranking.filter((file) => file.part === part).slice(0, MOST_ROWS)
  if (rows.length === 0) return []
  return [
    '',
    renderTable(
      [
        right('#'),
        left(part === 'source' ? 'source file' : 'test file'),
        right('score'),
        right('content'),
        right('path'),
        right('defines'),
        right('named'),
        right('best lines'),
      ],
      rows.map(({ path, score, parts }, place) => [
        String(place + 1),
        path,
        shown(score),
        shown(parts.content),
        shown(parts.path),
        shown(parts.definition),
        shown(parts.mention),
        shown(parts.window),
      ]),
    ),
  ]
}

function render(answer: ContextAnswer): string {
  const { manifest, items, explanation, work } = answer
  const { base, rerank } = manifest
  const from = base.kind === 'commit' ? `commit ${base.id.slice(0, 12)}` : 'the folder'
  return [
    `${items.length} runs of lines from ${from} for a ${manifest.lane}, ${manifest.tokens} of ${manifest.budgetTokens} tokens (${manifest.tokenizer}), variant ${manifest.variant}`,
    `${work.counted} files were indexed now, ${work.reused} had been before; pack ${manifest.packSha256.slice(0, 12)}`,
    ...(rerank.kind === 'fell-back'
      ? [`the reranker gave nothing, so the lexical order stands: ${rerank.reason}`]
      : []),
    ...(rerank.kind === 'done' ? [`${rerank.documents} chunks were ordered with ${rerank.model}`] : []),
    ...answer.remarks,
    ...(items.length > 0
      ? [
          '',
          renderTable(
            [left('shown'), left('lines'), right('tokens'), right('score')],
            items.map(({ path, startLine, endLine, tokens, score }) => [
              path,
              `${startLine}–${endLine}`,
              String(tokens),
              shown(score),
            ]),
          ),
        ]
      : []),
    ...rankingTable(answer, 'source'),
    ...rankingTable(answer, 'test'),
    ...(explanation
      ? [
          '',
          `${explanation.path}: ${explanation.state}${explanation.place === null ? '' : `, place ${explanation.place}`}: ${explanation.reason}`,
        ]
      : []),
    '',
  ].join('\n')
}

/** A flag whose value is one of some words. */
function choice<T extends string>(
  context: CommandContext,
  name: string,
  words: { readonly options: readonly T[] },
): T | undefined {
  const text = textFlag(context, name)
  if (text === undefined) return undefined
  const found = words.options.find((word) => word === text)
  if (found === undefined) throw new InputError(`--${name} ${text}: expected ${words.options.join(', ')}`)
  return found
}

export const contextCommand: Command = {
  name: 'context',
  summary: 'Shows what a model would see of a repository for an issue, and why',
  operands: '',
  arity: [0, 0],
  options: {
    repo: { type: 'string', value: 'DIR', help: 'a git repository or a plain folder; it is never written' },
    issue: { type: 'string', value: 'FILE', help: "the issue's text" },
    budget: { type: 'string', value: 'N', help: 'tokens that the pack may take (8000)' },
    commit: { type: 'string', value: 'COMMIT', help: 'the base commit (HEAD)' },
    lane: {
      type: 'string',
      value: 'ROLE',
      help: 'submitter (sources) or reviewer (sources and tests) (submitter)',
    },
    variant: {
      type: 'string',
      value: 'NAME',
      help: 'none, bm25-files, chunks, chunks+rerank or ours (ours)',
    },
    tokenizer: {
      type: 'string',
      value: 'NAME',
      help: 'bytes (3.3 a token), o200k_base or cl100k_base (bytes)',
    },
    language: {
      type: 'string',
      value: 'NAME',
      help: 'whose rules say what is a test; told by file when left out',
    },
    explain: { type: 'string', value: 'PATH', help: 'say why this file is in the pack or not' },
    text: { type: 'boolean', help: 'print the pack itself and nothing else' },
  },
  examples: [
    'arena context --repo ../mine --issue issue.md --budget 16000',
    'arena context --repo ../mine --issue issue.md --commit v1.2 --lane reviewer --text',
    'arena context --repo ../mine --issue issue.md --explain src/parser.rs',
    'arena context --repo ../mine --issue issue.md --variant bm25-files --tokenizer o200k_base --json',
  ],
  async run(context) {
    const answer = await retrieveContext({
      repo: resolve(context.folder, textFlag(context, 'repo', true)),
      issueFile: resolve(context.folder, textFlag(context, 'issue', true)),
      commit: textFlag(context, 'commit'),
      budgetTokens: numberFlag(context, 'budget', [1, 2_000_000]) ?? 8000,
      lane: choice(context, 'lane', ContextLane) ?? 'submitter',
      variant: choice(context, 'variant', ContextVariant) ?? 'ours',
      tokenizer: choice(context, 'tokenizer', Tokenizer) ?? 'bytes',
      language: choice(context, 'language', LanguageId),
      explain: textFlag(context, 'explain'),
      dataDir: context.config.dataDir,
      now: Date.now,
      signal: context.signal,
    })
    if (context.json) printJson(context, answer)
    else if (context.flags.text === true) context.out(answer.text)
    else context.out(plainText(render(answer)))
    return 0
  },
}
