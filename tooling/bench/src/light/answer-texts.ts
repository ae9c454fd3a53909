import { BlockIdFlag, CommitSig, SignedHeader, Validator, type ValidatorSet } from '@org/types'
import { bytesToBase64 } from '@org/types/bytes'
import { type JsonObject, stringifyJson } from '@org/types/schema'
import { formatTime } from '@org/types/time'
import { blockIdOf, type LightChain, voteTimeOf } from './light-chain.ts'

/**
 * Makes the texts of the answers of a node. The server shares the machine with the measured light client, so it must
 * use little processor time. Therefore a text is made only once if many answers contain it.
 */
export interface AnswerTexts {
  readonly commit: (height: number) => Promise<string>
  readonly validators: (height: number, page: { readonly page: number; readonly perPage: number }) => string
}

const SIGNATURE_SIZE = 64
/**
 * Example values for the timestamp and the signature in an entry of a commit. The text of an entry is made once with
 * these values. Each answer has the real timestamp and the real signature in place of the example values.
 */
const [NO_TIME, NO_SIGNATURE] = [0n, new Uint8Array(SIGNATURE_SIZE)]

/**
 * The three constant parts of the JSON text of an entry (the signature of one validator in a commit). The first part is
 * the text before the timestamp. The second part is between the timestamp and the signature. The third part is after
 * the signature.
 */
type EntryText = readonly [string, string, string]

function entryTexts({ validators }: ValidatorSet): readonly EntryText[] {
  return validators.map(({ address: validatorAddress }) => {
    const entry = { blockIdFlag: BlockIdFlag.commit, validatorAddress, timestamp: NO_TIME, signature: NO_SIGNATURE }
    const [before = '', rest = ''] = stringifyJson(CommitSig.toJson(entry)).split(formatTime(NO_TIME))
    const [between = '', after = ''] = rest.split(bytesToBase64(NO_SIGNATURE))
    return [before, between, after]
  })
}

function textOf(entries: readonly EntryText[], time: string, signatures: Uint8Array): string {
  return entries
    .map(([before, between, after], i) => {
      const signature = signatures.subarray(i * SIGNATURE_SIZE, (i + 1) * SIGNATURE_SIZE)
      return `${before}${time}${between}${bytesToBase64(signature)}${after}`
    })
    .join(',')
}

/**
 * Returns a function that calls `make` only once for each validator set, and keeps the value. The chain always uses the
 * same object for a validator set, so the function finds the value by this object.
 */
function bySet<T>(make: (set: ValidatorSet) => T): (set: ValidatorSet) => T {
  const known = new Map<ValidatorSet, T>()
  return (set) => {
    const value = known.get(set) ?? make(set)
    known.set(set, value)
    return value
  }
}

export function createAnswerTexts(chain: LightChain): AnswerTexts {
  const entriesOf = bySet(entryTexts)
  const pagesOf = bySet(() => new Map<string, string>())
  return {
    commit: async (height) => {
      const header = chain.headerAt(height)
      const commit = { height, round: 0, blockId: blockIdOf(header), signatures: [] }
      const signed = SignedHeader.toJson({ header, commit })
      const entries = entriesOf(chain.validatorsAt(height))
      const list = textOf(entries, formatTime(voteTimeOf(header)), await chain.signaturesAt(height))
      return stringifyJson({ signed_header: signed, canonical: true } as JsonObject).replace(
        '"signatures":[]',
        `"signatures":[${list}]`,
      )
    },
    validators: (height, { page, perPage }) => {
      const set = chain.validatorsAt(height)
      const shown = set.validators.slice((page - 1) * perPage, page * perPage)
      const list = pagesOf(set).get(`${page} ${perPage}`) ?? stringifyJson(shown.map(Validator.toJson))
      pagesOf(set).set(`${page} ${perPage}`, list)
      const [count, total] = [shown.length, set.validators.length]
      return `{"block_height":"${height}","validators":${list},"count":"${count}","total":"${total}"}`
    },
  }
}
