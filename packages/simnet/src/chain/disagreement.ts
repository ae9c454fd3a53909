import { type Application, completeAnswer, METHOD_NAMES } from '@org/abci'
import {
  ExecTxResult,
  ProposalStatus,
  type RequestFinalizeBlock,
  type RequestProcessProposal,
  ResponseFinalizeBlock,
} from '@org/types/abci'
import { hashTx } from '@org/types/block'
import { bytesToHex } from '@org/types/bytes'
import type { Refusals } from './refusals.ts'

/** Finds out whether the applications of several validators return the same. */
export interface DisagreementWatch {
  /** Returns an application that records the answers of `app` for the comparison. `name` is its validator. */
  readonly watch: (app: Application, name: string) => Application
  /** A text about the first block that the validators executed differently; `undefined` while they agree. */
  readonly difference: () => string | undefined
  /** True if all validators have executed the block of `difference`: nothing can be added to the text. */
  readonly isComplete: () => boolean
  readonly clear: () => void
}

interface Executed {
  readonly txs: readonly Uint8Array[]
  readonly response: ResponseFinalizeBlock
  /** The part of the response on which validators must agree, as text. */
  readonly agreed: string
}

type Method = (request: never) => unknown

/** `validators` is their number. A proposal that an application refuses is added to `refusals`. */
export function createDisagreementWatch(validators: number, refusals: Refusals): DisagreementWatch {
  /** By height, then by the validator's name. A height that all executed alike is removed. */
  const heights = new Map<number, Map<string, Executed>>()
  let differing: number | undefined

  function executed(name: string, { height, txs }: RequestFinalizeBlock, response: ResponseFinalizeBlock): void {
    const answers = heights.get(height) ?? new Map<string, Executed>()
    heights.set(height, answers)
    answers.set(name, { txs, response, agreed: agreedPart(response) })
    if (groupsBy(answers, ({ agreed }) => agreed).length > 1) differing = Math.min(height, differing ?? height)
    else if (answers.size === validators) heights.delete(height)
  }

  function note(method: string, name: string, call: { readonly request: unknown; readonly answer: unknown }): void {
    if (method === 'finalizeBlock') {
      executed(name, call.request as RequestFinalizeBlock, completeAnswer('finalizeBlock', call.answer))
    }
    if (method !== 'processProposal') return
    const { status } = completeAnswer('processProposal', call.answer)
    if (status !== ProposalStatus.accept) refusals.add(name, call.request as RequestProcessProposal)
  }

  return {
    watch: (app, name) => {
      const watched: Record<string, Method> = {}
      for (const method of METHOD_NAMES) {
        const own = app[method] as Method | undefined
        if (own === undefined) continue
        // A single validator cannot disagree with another one.
        const isCompared = method === 'processProposal' || (method === 'finalizeBlock' && validators > 1)
        if (!isCompared) {
          watched[method] = (request) => own.call(app, request)
          continue
        }
        watched[method] = (request) => {
          const answer = own.call(app, request)
          if (!(answer instanceof Promise)) {
            note(method, name, { request, answer })
            return answer
          }
          return answer.then((value) => {
            note(method, name, { request, answer: value })
            return value
          })
        }
      }
      return watched as Application
    },
    difference: () => {
      const answers = differing === undefined ? undefined : heights.get(differing)
      return answers === undefined ? undefined : describeDifference(differing as number, answers)
    },
    isComplete: () => differing !== undefined && heights.get(differing)?.size === validators,
    clear: () => {
      heights.clear()
      differing = undefined
      refusals.clear()
    },
  }
}

/** The names of the validators with the same value, and this value. */
interface Group {
  readonly value: string
  readonly names: readonly string[]
}

function groupsBy(answers: ReadonlyMap<string, Executed>, textOf: (executed: Executed) => string): Group[] {
  const groups = new Map<string, string[]>()
  const byName = [...answers].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, executed] of byName) {
    const value = textOf(executed)
    groups.set(value, [...(groups.get(value) ?? []), name])
  }
  return [...groups].map(([value, names]) => ({ value, names }))
}

/** The part of an answer on which validators must agree. `log`, `info`, `codespace` and events are not in it. */
function agreedPart(response: ResponseFinalizeBlock): string {
  const { txResults, validatorUpdates, consensusParamUpdates, appHash } = response
  const agreed = { txResults: txResults.map(agreedResult), validatorUpdates, consensusParamUpdates, appHash }
  return bytesToHex(ResponseFinalizeBlock.encode(ResponseFinalizeBlock.create(agreed)))
}

function agreedResult({ code, data, gasWanted, gasUsed }: ExecTxResult): ExecTxResult {
  return ExecTxResult.create({ code, data, gasWanted, gasUsed })
}

function describeDifference(height: number, answers: ReadonlyMap<string, Executed>): string {
  const list = (groups: readonly Group[]): string =>
    groups.map(({ value, names }) => `${value} on ${names.join(', ')}`).join('; ')
  const hashes = groupsBy(answers, ({ response }) => bytesToHex(response.appHash) || '(empty)')
  const about = hashes.length > 1 ? `the app hash is ${list(hashes)}` : `the app hash is the same`
  return `validators disagree about block ${height}: ${about}. ${describeTransactions(answers, list)}`
}

function describeTransactions(
  answers: ReadonlyMap<string, Executed>,
  list: (groups: readonly Group[]) => string,
): string {
  const [first] = answers.values()
  const txs = first?.txs ?? []
  const index = txs.findIndex((_, i) => groupsBy(answers, (executed) => resultText(executed, i)).length > 1)
  if (index >= 0) {
    const groups = groupsBy(answers, (executed) => resultText(executed, index))
    return `The first transaction that differs is number ${index} (${bytesToHex(hashTx(txs[index] as Uint8Array))}): ${list(groups)}`
  }
  return groupsBy(answers, agreedUpdates).length > 1
    ? 'Validator updates or consensus parameters differ'
    : 'The results of all transactions are the same: look for state that depends on the time, on chance, or on the order of a loop'
}

function resultText({ response }: Executed, index: number): string {
  const result = response.txResults[index]
  if (result === undefined) return 'no result'
  const { code, data, gasWanted, gasUsed } = result
  return `code ${code}, data ${bytesToHex(data) || '(empty)'}, gasWanted ${gasWanted}, gasUsed ${gasUsed}`
}

function agreedUpdates({ response }: Executed): string {
  const { validatorUpdates, consensusParamUpdates } = response
  return agreedPart(ResponseFinalizeBlock.create({ validatorUpdates, consensusParamUpdates }))
}
