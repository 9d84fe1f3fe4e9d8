import { languages } from '../../languages/index.ts'
import { createSemaphore } from '../ci/semaphore.ts'
import type { Config } from '../config.ts'
import { InputError } from '../errors.ts'
import { controlGeneration } from '../match/controls.ts'
import { countAsks } from '../match/count-asks.ts'
import { createGenerations } from '../match/generations.ts'
import { controlOf } from '../match/plan.ts'
import { type Ask, blindAsk } from '../match/protocols/step.ts'
import type { RoundPorts } from '../match/round.ts'
import type { AddressPolicy } from '../models/address-guard.ts'
import { waitFor } from '../models/connection.ts'
import { type CallEstimate, estimateCalls } from '../models/estimate-calls.ts'
import { createModel } from '../models/index.ts'
import { createPaces } from '../models/pace.ts'
import type { Replay } from '../models/replay.ts'
import { mostChanged } from '../patch/most-changed.ts'
import { renderDiff } from '../patch/render-diff.ts'
import { generate } from '../players/generate.ts'
import { generationId } from '../players/generation-id.ts'
import { type Prompt, renderPrompt } from '../players/render-prompt.ts'
import { type Budget, priceOf } from '../players/spending.ts'
import { digestOfValue } from '../schema/canonical.ts'
import type { Competitor } from '../schema/competitor.ts'
import type { OnEvent } from '../schema/event.ts'
import type { Season } from '../schema/match.ts'
import type { ChatModel } from '../schema/model.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { Store } from '../store/store.ts'
import { applyForRole } from './apply-for-role.ts'
import type { ContextPacks } from './context-packs.ts'
import { statementOf } from './tasks-in-play.ts'

/** Each starts processes of git, which holds up everything else: few at once, so that the next questions are sent first. */
const APPLIED_AT_ONCE = 2

export interface PlayersRequest {
  readonly season: Season
  /** What everybody is shown; prepared for every task before it is played. */
  readonly packs: Pick<ContextPacks, 'packFor'>
  /** Digest of what each competitor answers with, by id. */
  readonly settings: ReadonlyMap<string, string>
  readonly repeat: number
  readonly config: Config
  readonly store: Store
  readonly now: () => number
  readonly onEvent: OnEvent
  /** Ends what models are asked: such a generation throws the signal's reason, and nothing of it is kept. */
  readonly signal?: AbortSignal | undefined
  /** Which addresses besides public ones endpoints may have: the operator's word, never a stranger's. */
  readonly addresses: AddressPolicy
  /** Endpoints are not called: what they answered before is taken from here. */
  readonly replay?: Replay | undefined
}

export interface Players {
  /** Makes every model ready, before anything is played. Throws InputError for a key, address or window that will not do. */
  open(competitors: readonly Competitor[]): void
  readonly generate: RoundPorts['generate']
  /** Calls and tokens of every endpoint over these tasks, before anything is asked. */
  estimate(tasks: readonly PreparedTask[], competitors: readonly Competitor[]): readonly CallEstimate[]
  close(): Promise<void>
}

/** Everybody who plays a season: recorded answers, endpoints and controls, each asked once for a task and role. */
export function createPlayers(request: PlayersRequest): Players {
  const { season, store, now, onEvent, signal } = request
  const models = new Map<string, ChatModel>()
  const applying = createSemaphore(APPLIED_AT_ONCE)
  let paceOf = createPaces([], { now, wait: waitFor })

  const promptFor = ({ kind, patch, hints, feedback }: Ask, task: PreparedTask): Prompt => {
    const adapter = languages[task.loaded.task.language]
    const seen = patch?.outcome.kind === 'applied' ? patch.outcome : undefined
    return renderPrompt({
      kind,
      protocol: season.protocol,
      patch: seen?.applied ?? '',
      hints: hints && seen ? mostChanged(task.base, seen.changes) : [],
      feedback,
      repository: task.loaded.task.repository.name,
      language: adapter.label,
      issue: statementOf(task.loaded, season.statement),
      context: request.packs.packFor(kind, task).text,
      workflow: task.loaded.task.ci.workflow,
      conventions: adapter.conventions,
      caps: season.caps,
    })
  }
  const identity = (ask: Ask, task: PreparedTask, competitor: Competitor) => ({
    task: task.loaded.digest,
    competitor: competitor.id,
    settings: request.settings.get(competitor.id) ?? '',
    kind: ask.kind,
    statement: statementOf(task.loaded, season.statement),
    context: request.packs.packFor(ask.kind, task).text,
    parent: ask.patch?.id ?? null,
    ...(ask.patch || ask.feedback.length > 0
      ? { shown: digestOfValue(promptFor(ask, task).messages.map(({ content }) => content)) }
      : {}),
    repeat: request.repeat,
    ...(ask.temperature === undefined ? {} : { sample: ask.sample, temperature: ask.temperature }),
  })
  const modelOf = (competitor: Competitor): ChatModel => {
    const known = models.get(competitor.id)
    if (known) return known
    if (competitor.player.kind === 'control') throw new Error(`${competitor.id} is a control and no model`)
    const opened =
      request.replay && competitor.player.kind === 'endpoint'
        ? request.replay.modelOf(competitor.id)
        : createModel(competitor.player, {
            secret: request.config.secret,
            addresses: request.addresses,
            now,
            random: Math.random,
            paceOf,
          })
    models.set(competitor.id, opened)
    return opened
  }

  const checkWindow = ({ player }: Competitor): void => {
    const { variant, budgetTokens } = season.retrieval
    if (player.kind !== 'endpoint' || variant === 'none') return
    const { contextTokens, maxOutputTokens } = player.endpoint
    if (contextTokens < budgetTokens + maxOutputTokens)
      throw new InputError(
        `endpoint.contextTokens: ${contextTokens} do not hold the season's ${budgetTokens} tokens of files and an answer of ${maxOutputTokens}`,
        { remedy: 'lower endpoint.maxOutputTokens, or retrieval.budgetTokens of the season' },
      )
  }

  const budgetOf = ({ id, player }: Competitor): Budget => {
    const { limits = {}, prices } = season
    if (player.kind !== 'endpoint') return { limits: {}, price: null }
    return { limits, price: priceOf(prices, id, player.endpoint.model) }
  }
  const checkPrice = (competitor: Competitor): void => {
    const { limits, price } = budgetOf(competitor)
    if (limits.money !== undefined && price === null)
      throw new InputError('limits.money: there is no price for this model', {
        remedy: "name it under prices.models, by the competitor's id or the model's name",
      })
  }

  const make = (ask: Ask, task: PreparedTask, competitor: Competitor) => {
    const model = modelOf(competitor)
    const { kind, sample, temperature } = ask
    return generate(
      {
        ...identity(ask, task, competitor),
        manifest: request.packs.packFor(kind, task).manifest,
        taskId: task.loaded.task.id,
        prompt: promptFor(ask, task),
        budget: budgetOf(competitor),
        attempts: competitor.player.kind === 'scripted' ? 1 : season.attempts,
      },
      {
        ask: async (messages, attempt, ceiling) => {
          signal?.throwIfAborted()
          onEvent({ kind: 'model-call', competitor: competitor.id, attempt, state: `asked for ${kind}` })
          const reply = await model.ask({
            messages,
            attempt,
            taskId: task.loaded.task.id,
            kind,
            ceiling,
            repeat: request.repeat,
            round: ask.feedback.length + 1,
            ...(temperature === undefined ? {} : { sample, temperature }),
            ...(signal ? { signal } : {}),
          })
          // The fault of a call that was ended is nobody's forfeit.
          signal?.throwIfAborted()
          if (reply.error !== null)
            onEvent({ kind: 'warning', message: `${competitor.id}, asked for ${kind}: ${reply.error}` })
          return reply
        },
        apply: (content) =>
          applying.run(0, () =>
            applyForRole({
              kind,
              template: task.template,
              base: task.base,
              adapter: languages[task.loaded.task.language],
              caps: season.caps,
              content,
            }),
          ),
        now,
        putBlob: (bytes) => store.blobs.put(bytes),
      },
    )
  }

  return {
    open(competitors) {
      paceOf = createPaces(
        competitors.flatMap(({ player }) => (player.kind === 'endpoint' ? player.endpoint : [])),
        { now, wait: waitFor },
      )
      for (const competitor of competitors)
        try {
          checkWindow(competitor)
          checkPrice(competitor)
          if (controlOf(competitor) === null) modelOf(competitor)
        } catch (cause) {
          if (!(cause instanceof InputError)) throw cause
          throw new InputError(cause.message, { place: competitor.id, cause })
        }
    },
    estimate: (tasks, competitors) =>
      estimateCalls(
        competitors.flatMap((competitor) => {
          const { player } = competitor
          if (player.kind !== 'endpoint') return []
          const counts = countAsks(season, competitors.length)
          return tasks.flatMap((task) =>
            (['patch', 'tests'] as const).flatMap((kind) => {
              const { messages } = promptFor(blindAsk(kind), task)
              const planned = {
                competitor: competitor.id,
                promptCharacters: messages.reduce((sum, { content }) => sum + content.length, 0),
                maxOutputTokens: player.endpoint.maxOutputTokens,
              }
              return Array.from({ length: counts[kind] }, () => planned)
            }),
          )
        }),
        season.attempts,
      ),
    generate: createGenerations({
      idOf: (ask, task, competitor) =>
        controlOf(competitor) === null
          ? generationId({
              ...identity(ask, task, competitor),
              promptVersion: promptFor(ask, task).version,
            })
          : `${competitor.id}:${ask.kind}:${task.loaded.digest}`,
      find: (id) => (id.includes(':') ? Promise.resolve(undefined) : store.generations.find(id)),
      make: async (ask, task, competitor) =>
        controlOf(competitor) === null
          ? make(ask, task, competitor)
          : controlGeneration({
              competitor,
              kind: ask.kind,
              task,
              adapter: languages[task.loaded.task.language],
              renderDiff,
              createdAt: new Date(now()).toISOString(),
            }),
      save: (generation) => store.generations.save(generation),
      onMade: (generation, cached) =>
        onEvent({
          kind: 'generation',
          task: generation.taskId,
          competitor: generation.competitor,
          role: generation.kind === 'tests' ? 'tests' : 'patch',
          outcome: generation.outcome.kind === 'forfeit' ? generation.outcome.reason : 'applied',
          cached,
        }),
    }),
    async close() {
      for (const model of models.values()) await model.close()
    },
  }
}
