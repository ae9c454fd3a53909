import type { QueryAnswer } from '@org/abci'
import { isCodedError, messageOf } from '@org/runtime'
import type { RequestQuery } from '@org/types/abci'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { APP_ERRORS, AppError, Refusal, refuse } from '../errors.ts'
import { readTree } from '../state/index.ts'
import { fromJsonText, isTooDeep, TOO_DEEP, toJsonText } from '../transaction/index.ts'
import { CommitmentProof, find, PROOF_TYPE, prove, type Version, type Versions } from '../tree/index.ts'
import { isOwnFault, nonces } from './executor.ts'
import { type AppOptions, transactionForm } from './options.ts'
import { reportToStderr } from './report-to-stderr.ts'

const STATE_PATH = 'state'
const NONCE_PATH = 'nonce'

type ReadVersion = Omit<Version, 'hash'>

/**
 * Returns the value of a key of the state, with a proof if the request asks for one. A client checks the proof with the
 * app hash in the header of the next height.
 */
function stateAnswer(version: ReadVersion, versions: Versions, { data, prove: isProved }: RequestQuery): QueryAnswer {
  const { load } = versions
  if (data.length === 0) return refuse('the query /state needs a key as its data, but the data is empty')
  const value = find(version.tree, load, data)?.value ?? new Uint8Array(0)
  if (!isProved || version.tree === undefined) return { key: data, value }
  const proof = CommitmentProof.encode(prove({ tree: version.tree, load }, data))
  return { key: data, value, proofOps: { ops: [{ type: PROOF_TYPE, key: data, data: proof }] } }
}

function argumentOf(data: Uint8Array): unknown {
  if (data.length === 0) return undefined
  if (isTooDeep(data)) return refuse(`the lists and objects in the argument of the query ${TOO_DEEP}`)
  try {
    return fromJsonText(bytesToUtf8(data))
  } catch {
    return refuse('the data of the query is not JSON: write the argument of the query as JSON into the data')
  }
}

/**
 * Creates the function that answers the queries of one application. `latest` is the state that a query without a height
 * reads.
 */
export function createQueries(
  options: AppOptions,
  versions: Versions,
  latest: () => ReadVersion,
): (request: RequestQuery) => QueryAnswer {
  const { queries = {}, name = 'app', onError = reportToStderr } = options
  const { hasNonce } = transactionForm(options)

  function answer(version: ReadVersion, request: RequestQuery): QueryAnswer {
    const path = request.path.replace(/^\//, '')
    if (path === STATE_PATH) return stateAnswer(version, versions, request)
    const context = { state: readTree({ tree: version.tree, load: versions.load }), height: version.version }
    const { data } = request
    if (path === NONCE_PATH && hasNonce)
      return { value: utf8ToBytes(String(nonces.get(context.state, bytesToUtf8(data)) ?? 0)) }
    const route = Object.hasOwn(queries, path) ? queries[path] : undefined
    if (route === undefined) {
      const paths = [STATE_PATH, ...(hasNonce ? [NONCE_PATH] : []), ...Object.keys(queries)]
        .map((known) => `/${known}`)
        .join(', ')
      return refuse(`no query has the path ${JSON.stringify(request.path.slice(0, 60))}: ${paths}`)
    }
    const value = route.answer(context, argumentOf(data))
    return { key: data, value: value === undefined ? new Uint8Array(0) : utf8ToBytes(toJsonText(value)) }
  }

  return (request) => {
    try {
      const version = request.height === 0 ? latest() : versions.at(request.height)
      return { ...answer(version, request), height: version.version }
    } catch (error) {
      if (error instanceof Refusal) {
        return { code: error.resultCode, log: error.message, codespace: error.codespace || name }
      }
      if (error instanceof AppError && isOwnFault(error)) throw error
      if (!isCodedError(error, APP_ERRORS.version)) onError(error, `the query ${request.path.slice(0, 60)}`)
      return { code: 1, log: messageOf(error), codespace: name }
    }
  }
}
