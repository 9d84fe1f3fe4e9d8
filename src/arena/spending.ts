import { VERIFIER } from '../match/read-season.ts'
import { assessmentIdsOf, type Generation, generationIdsOf, type Round } from '../schema/match.ts'
import type { Cost } from '../schema/price.ts'
import type { Store } from '../store/store.ts'

/** What calls used, as far as their servers tell it. */
export interface Spending {
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Null where no price list named a model that was asked. */
  readonly cost: Cost | null
}

export interface SeasonSpending extends Spending {
  /** By id; a blind round shares its patch and its tests with other rounds, so that these add up to more than the whole. */
  readonly rounds: Readonly<Record<string, Spending>>
  readonly competitors: Readonly<Record<string, Spending>>
}

const NOTHING: Spending = { calls: 0, promptTokens: 0, completionTokens: 0, cost: null }

function addCosts(a: Cost | null, b: Cost | null): Cost | null {
  if (a === null || b === null) return a ?? b
  return {
    amount: a.amount + b.amount,
    currency: a.currency === b.currency ? a.currency : `${a.currency}+${b.currency}`,
    date: [a.date, b.date].sort().at(-1) ?? a.date,
    estimated: a.estimated || b.estimated,
  }
}

const add = (a: Spending, b: Spending): Spending => ({
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  cost: addCosts(a.cost, b.cost),
})

/** All of a generation's attempts together. Recorded answers and controls ask nobody: their calls count for nothing. */
export function spendingOf(generation: Pick<Generation, 'calls'>): Spending {
  return generation.calls
    .filter((call) => call.tries !== undefined)
    .map(
      (call): Spending => ({
        calls: 1,
        promptTokens: call.promptTokens ?? 0,
        completionTokens: call.completionTokens ?? 0,
        cost: call.cost ?? null,
      }),
    )
    .reduce(add, NOTHING)
}

/** What a season's rounds cost, each generation and each asking of the verifier counted once in the whole. */
export async function loadSpending(
  store: Pick<Store, 'generations' | 'assessments'>,
  rounds: readonly Round[],
): Promise<SeasonSpending> {
  const byAsking = new Map<string, Spending>()
  const competitors: Record<string, Spending> = {}
  const load = async (
    id: string,
    find: () => Promise<{ readonly calls: Generation['calls']; readonly competitor: string } | undefined>,
  ): Promise<Spending> => {
    const known = byAsking.get(id)
    if (known) return known
    const asked = await find()
    const spent = asked ? spendingOf(asked) : NOTHING
    byAsking.set(id, spent)
    if (asked && spent.calls > 0)
      competitors[asked.competitor] = add(competitors[asked.competitor] ?? NOTHING, spent)
    return spent
  }
  const verifier = async (id: string) => {
    const assessment = await store.assessments.find(id)
    return assessment && { calls: assessment.calls, competitor: VERIFIER }
  }
  const byRound: Record<string, Spending> = {}
  for (const round of rounds) {
    let spent = NOTHING
    for (const id of generationIdsOf(round))
      spent = add(spent, await load(id, () => store.generations.find(id)))
    for (const id of assessmentIdsOf(round)) spent = add(spent, await load(id, () => verifier(id)))
    byRound[round.id] = spent
  }
  return { ...[...byAsking.values()].reduce(add, NOTHING), rounds: byRound, competitors }
}
