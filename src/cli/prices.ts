import { resolve } from 'node:path'
import type { SeasonSpending, Spending } from '../arena/spending.ts'
import type { Cost } from '../schema/price.ts'
import { type CommandContext, textFlag } from './command.ts'
import { renderTable } from './table.ts'

export const PRICES = {
  type: 'string',
  value: 'FILE',
  help: 'price list: date, currency, and what a million tokens of each model cost',
} as const

export function pricesFlag(context: CommandContext): string | undefined {
  const file = textFlag(context, 'prices')
  return file === undefined ? undefined : resolve(context.folder, file)
}

/** `0.01234 USD`, with a mark where tokens were estimated. */
export const money = (cost: Cost | null | undefined): string =>
  cost ? `${cost.estimated ? '~' : ''}${Number(cost.amount.toPrecision(4)).toString()} ${cost.currency}` : '–'

/** One line for each competitor that asked somebody, and the whole; '' when nobody was asked. */
export function renderSpending(spending: SeasonSpending): string {
  if (spending.calls === 0) return ''
  const row = (name: string, spent: Spending): string[] => [
    name,
    String(spent.calls),
    String(spent.promptTokens),
    String(spent.completionTokens),
    money(spent.cost),
  ]
  const columns = ['asked', 'calls', 'prompt tokens', 'answer tokens', 'cost'].map((title, index) => ({
    title,
    align: index === 0 ? ('left' as const) : ('right' as const),
  }))
  const rows = Object.entries(spending.competitors).map(([name, spent]) => row(name, spent))
  const by = spending.cost ? `\nby the prices of ${spending.cost.date}` : ''
  return `${renderTable(columns, [...rows, row('together', spending)])}${by}\n`
}
