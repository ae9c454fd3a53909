import { type ConsensusParams, updateConsensusParams } from '@org/types'
import {
  ExecTxResult,
  type RequestFinalizeBlock,
  type RequestInitChain,
  ResponseFinalizeBlock,
  type ResponseInitChain,
  type ValidatorUpdate,
} from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { formatPublicKey } from '@org/types/crypto'

/** Values from an application's answer to InitChain or FinalizeBlock, as texts. The key is the name of the value. */
export type Values = ReadonlyMap<string, string>

/** The part of an answer to InitChain or FinalizeBlock on which the applications of all validators must agree. */
export interface Agreed {
  /**
   * The name of the answer in the text of an error: "the answer to initChain", or the block of an answer to
   * FinalizeBlock, such as "block 5".
   */
  readonly subject: string
  /**
   * A sentence such as "The results of all transactions are the same". The error contains this sentence if the answers
   * differ only in the app hash. The error then also gives a hint about the cause.
   */
  readonly same: string
  /** A text that is equal for two answers if and only if all compared values of the answers are equal. */
  readonly key: string
  /** The hash of the application's state. */
  readonly appHash: string
  readonly txs: readonly Uint8Array[]
  readonly resultOf: (index: number) => string
  /**
   * The compared values except the app hash and the results of the transactions. An example is a validator update. The
   * values are computed only when an error describes a disagreement.
   */
  readonly values: () => Values
}

const hexOf = (bytes: Uint8Array): string => bytesToHex(bytes) || '(empty)'

/**
 * Answers are compared by height. An answer to InitChain has no height of its own, so it gets this number, which is
 * lower than the heights of all blocks.
 */
export const INIT_CHAIN_HEIGHT = 0

/**
 * Returns the part of an answer to InitChain on which all validators must agree. If the answer has no validators or
 * parameters, the values of the request are used, which come from the genesis document. If the answer has no app hash,
 * `genesisAppHash` is used.
 */
export function agreedStart(
  request: RequestInitChain,
  response: ResponseInitChain,
  genesisAppHash: Uint8Array,
): Agreed {
  const validators = response.validators.length > 0 ? response.validators : request.validators
  // The cast is safe, because a node always sets all consensus parameters in its request for InitChain.
  const params = updateConsensusParams(request.consensusParams as ConsensusParams, response.consensusParams)
  const appHash = hexOf(response.appHash.length > 0 ? response.appHash : genesisAppHash)
  const values = new Map([...powers('The power of validator', validators), ...members('consensusParams', params)])
  const key = JSON.stringify([appHash, ...values])
  return {
    subject: 'the answer to initChain',
    same: 'The validators and the consensus parameters are the same',
    key,
    appHash,
    txs: [],
    resultOf: () => '',
    values: () => values,
  }
}

/**
 * Returns the part of an answer to FinalizeBlock on which all validators must agree. `log`, `info`, `codespace` and
 * events are not part of it.
 */
export function agreedBlock({ height, txs }: RequestFinalizeBlock, response: ResponseFinalizeBlock): Agreed {
  const { txResults, consensusParamUpdates, appHash } = response
  // The order of validator updates has no effect, so they are compared in a sorted order.
  const validatorUpdates = sorted(response.validatorUpdates)
  const agreed = { txResults: txResults.map(agreedResult), validatorUpdates, consensusParamUpdates, appHash }
  return {
    subject: `block ${height}`,
    same: 'The results of all transactions are the same',
    key: bytesToHex(ResponseFinalizeBlock.encode(ResponseFinalizeBlock.create(agreed))),
    appHash: hexOf(appHash),
    txs,
    resultOf: (index) => resultText(txResults[index]),
    values: () =>
      new Map([
        ...powers('The new power of validator', validatorUpdates),
        ...members('consensusParamUpdates', consensusParamUpdates),
      ]),
  }
}

function agreedResult({ code, data, gasWanted, gasUsed }: ExecTxResult): ExecTxResult {
  return ExecTxResult.create({ code, data, gasWanted, gasUsed })
}

function resultText(result: ExecTxResult | undefined): string {
  if (result === undefined) return 'no result'
  const { code, data, gasWanted, gasUsed } = result
  return `code ${code}, data ${hexOf(data)}, gasWanted ${gasWanted}, gasUsed ${gasUsed}`
}

function sorted(validators: readonly ValidatorUpdate[]): readonly ValidatorUpdate[] {
  if (validators.length < 2) return validators
  const named = validators.map((validator) => ({ validator, name: formatPublicKey(validator.pubKey) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))).map(({ validator }) => validator)
}

function powers(what: string, validators: readonly ValidatorUpdate[]): Values {
  return new Map(sorted(validators).map(({ pubKey, power }) => [`${what} ${formatPublicKey(pubKey)}`, `${power}`]))
}

/**
 * Returns the values of an object and of all objects in it. The key of each value contains its path, such as `The value
 * of consensusParams.block.maxBytes`.
 */
function members(path: string, value: unknown): Values {
  if (value === undefined) return new Map()
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map([[`The value of ${path}`, String(value)]])
  return new Map(Object.entries(value).flatMap(([name, member]) => [...members(`${path}.${name}`, member)]))
}
