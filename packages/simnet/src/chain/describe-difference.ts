import { hashTx } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { Agreed } from './agreement.ts'

/** The answers of validators, by their names. */
export type AnswersByName = ReadonlyMap<string, Agreed>

/** The names of the validators with the same value, and this value. */
interface Group {
  readonly value: string
  readonly names: readonly string[]
}

const HINT = 'look for state that depends on the time, on chance, or on the order of a loop'
/** The maximum number of values that the text lists. If there are more values, the text says how many it leaves out. */
const MAX_VALUES = 3

/** True if the answers of at least two validators would lead to different states of the chain. */
export function isDifferent(answers: AnswersByName): boolean {
  return groupsBy(answers, ({ key }) => key).length > 1
}

/** Describes how answers differ: which validator has which value. */
export function describeDifference(answers: AnswersByName): string {
  const [first] = answers.values()
  const hashes = groupsBy(answers, ({ appHash }) => appHash)
  const sentences = [
    `validators disagree about ${first?.subject}: the app hash is ${hashes.length > 1 ? list(hashes) : 'the same'}`,
    ...describeTransaction(answers, first?.txs ?? []),
    ...describeValues(answers),
  ]
  if (sentences.length === 1) sentences.push(`${first?.same}: ${HINT}`)
  return sentences.join('. ')
}

function describeTransaction(answers: AnswersByName, txs: readonly Uint8Array[]): string[] {
  const index = txs.findIndex((_, i) => groupsBy(answers, ({ resultOf }) => resultOf(i)).length > 1)
  if (index < 0) return []
  const hash = bytesToHex(hashTx(txs[index] as Uint8Array))
  const groups = groupsBy(answers, ({ resultOf }) => resultOf(index))
  return [`The first transaction that differs is number ${index} (${hash}): ${list(groups)}`]
}

function describeValues(answers: AnswersByName): string[] {
  const values = new Map([...answers].map(([name, agreed]) => [name, agreed.values()]))
  const names = new Set([...values.values()].flatMap((each) => [...each.keys()]))
  const differing = [...names]
    .map((name) => ({ name, groups: groupsBy(values, (each) => each.get(name) ?? 'missing') }))
    .filter(({ groups }) => groups.length > 1)
  const shown = differing.slice(0, MAX_VALUES).map(({ name, groups }) => `${name} is ${list(groups)}`)
  const more = differing.length - shown.length
  return more === 0 ? shown : [...shown, `${more} more ${more === 1 ? 'value differs' : 'values differ'}`]
}

function groupsBy<T>(answers: ReadonlyMap<string, T>, textOf: (answer: T) => string): Group[] {
  const groups = new Map<string, string[]>()
  const byName = [...answers].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, answer] of byName) {
    const value = textOf(answer)
    groups.set(value, [...(groups.get(value) ?? []), name])
  }
  return [...groups].map(([value, names]) => ({ value, names }))
}

function list(groups: readonly Group[]): string {
  return groups.map(({ value, names }) => `${value} on ${names.join(', ')}`).join('; ')
}
