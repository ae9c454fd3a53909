import { bytesToHex } from '@org/types/bytes'
import { decodeValueOp, type OperatorDecoder, type ProofClaim, VALUE_OP, verifyProofOps } from '@org/types/crypto'
import {
  type Answer,
  checkBytes,
  checkNumber,
  heightOfArgs,
  type PartlyVerified,
  unprovable,
  type Verified,
  type VerifiedModules,
  wrongAnswer,
} from './answer.ts'

type Query = Answer<'abciQuery'>
/**
 * The answer to a query. Its key, value and height are proved. If the value is empty, the proof shows that the state
 * has an empty value for the key, or no value.
 */
export type VerifiedQuery = {
  readonly response: PartlyVerified<Query['response'], 'log' | 'info' | 'index' | 'codespace'>
}

/** A query to an application. */
export interface QueryQuestion {
  readonly path: string
  /** The bytes that the request sends to the application: usually the key of the wanted value. */
  readonly data: Uint8Array
}

/** The options for the verification of queries. */
export interface QueryOptions {
  /** Decoders of proof operators by type, in addition to the built-in one for `simple:v`. */
  readonly operators?: Readonly<Record<string, OperatorDecoder>>
  /**
   * Returns the key of the queried value as a list with one key. If the trees of the application are nested, the root
   * of an inner tree is a value of the outer tree. The list then has one key for each tree, the key in the outermost
   * tree first.
   *
   * Default for a path `/store/<name>/key`: the name of the store and the data of the query, as in the Cosmos SDK.
   * Default for all other paths: the data of the query.
   */
  readonly keysOf?: (question: QueryQuestion) => readonly Uint8Array[]
}

const METHOD = 'abci_query'
const encoder = new TextEncoder()

function defaultKeys({ path, data }: QueryQuestion): readonly Uint8Array[] {
  const store = /^\/?store\/([^/]+)\/key$/.exec(path)?.[1]
  return store === undefined ? [data] : [encoder.encode(store), data]
}

/** Returns the bytes of an argument. The typed client sends a text as UTF-8. */
function dataOf(data: Uint8Array | string | undefined): Uint8Array {
  if (data instanceof Uint8Array) return data
  return encoder.encode(data ?? '')
}

type ProofOps = NonNullable<Query['response']['proofOps']>

/** Returns the proof of an answer. Throws if the answer has no proof, or a proof with an unknown operator. */
function proofOf({ proofOps }: Query['response'], operators: Readonly<Record<string, OperatorDecoder>>): ProofOps {
  if (proofOps === undefined || proofOps.ops.length === 0) {
    throw unprovable(
      METHOD,
      'the application sent no proof, and may not support proofs: ask with `unverified.abciQuery`, and trust the node',
    )
  }
  const unknown = proofOps.ops.find(({ type }) => !Object.hasOwn(operators, type))
  if (unknown !== undefined) {
    throw unprovable(
      METHOD,
      `no decoder for the proof operator ${JSON.stringify(unknown.type)}: add a decoder for it to the option \`operators\``,
    )
  }
  return proofOps
}

/** Verifies the proof of a value. For an empty value, a proof of its absence is accepted too. */
function verifyClaim(
  { proof, value }: { readonly proof: ProofOps; readonly value: Uint8Array },
  claim: Omit<ProofClaim, 'value'>,
  operators: Readonly<Record<string, OperatorDecoder>>,
): void {
  const claims: readonly ProofClaim[] = value.length > 0 ? [{ ...claim, value }] : [claim, { ...claim, value }]
  let last: unknown
  for (const one of claims) {
    try {
      verifyProofOps(proof, one, operators)
      return
    } catch (error) {
      last = error
    }
  }
  throw wrongAnswer(METHOD, (last as Error).message, last)
}

/** Makes `abci_query`: it requests a proof, and verifies it with the app hash in the header of the next height. */
export function createVerifiedQuery(
  { operators: own, keysOf = defaultKeys }: QueryOptions,
  { client, headers }: VerifiedModules,
): Verified<'abciQuery', VerifiedQuery> {
  const operators = { [VALUE_OP]: decodeValueOp, ...own }
  return async (args = {}, options = {}) => {
    const answer = await client.abciQuery({ ...args, prove: true }, options)
    const { response } = answer
    const { code, key, height, log } = response
    if (code !== 0) throw unprovable(METHOD, `the application refused with code ${code}: ${log.slice(0, 200)}`)
    const asked = heightOfArgs(args.height)
    checkNumber(METHOD, 'height', [height, asked])
    if (height < 1) throw unprovable(METHOD, `the application answered for height ${height}, which has no header`)
    const keys = keysOf({ path: args.path ?? '', data: dataOf(args.data) })
    const last = keys.at(-1) ?? new Uint8Array(0)
    // A valid proof of another key does not answer the query.
    checkBytes(METHOD, 'key', [key, last])
    // `proofOf` throws if the answer has no proof, or if no decoder for the proof exists. It is called before the wait
    // for the next header, because this wait may be long on a chain that makes no empty blocks.
    const proof = proofOf(response, operators)
    const { header } = await headers.soon(height + 1, options.signal)
    const keyPath = keys.map((part) => `/x:${bytesToHex(part)}`).join('')
    verifyClaim({ proof, value: response.value }, { root: header.appHash, keyPath }, operators)
    return answer
  }
}
