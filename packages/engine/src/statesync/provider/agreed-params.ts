import { ConsensusParams, type Header, hashConsensusParams } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { RESTORE_ERRORS, RestoreError } from '../restore/index.ts'
import { PROVIDER_ERRORS, ProviderError } from './errors.ts'

/** A server from which the node requests consensus parameters. The server need not be trusted. */
export interface ParamsSource {
  readonly name: string
  /** Resolves with the parameters of a height. Rejects if the server does not answer. */
  readonly consensusParams: (height: number, signal: AbortSignal) => Promise<ConsensusParams>
}

/** The minimum number of servers that must send the same parameters. */
const MIN_ANSWERS = 2

/**
 * Returns the consensus parameters for a verified header. The hash in the header covers only the maximum bytes and gas
 * of a block. The other parameters are accepted only if at least two servers sent parameters that match this hash, and
 * if all these parameters are equal. Throws a `RestoreError` (`STATESYNC_SERVERS`) if they differ, and a
 * {@link ProviderError} if too few servers sent parameters that match.
 */
export async function agreedParams(
  { height, consensusHash }: Pick<Header, 'height' | 'consensusHash'>,
  sources: readonly ParamsSource[],
  signal: AbortSignal,
): Promise<ConsensusParams> {
  const answers = await Promise.allSettled(sources.map((source) => source.consensusParams(height, signal)))
  signal.throwIfAborted()
  const fitting = answers.flatMap((answer, index) => {
    const fits = answer.status === 'fulfilled' && equalBytes(hashConsensusParams(answer.value), consensusHash)
    return fits ? [{ name: sources[index]?.name ?? '', params: answer.value }] : []
  })
  const [first] = fitting
  if (first === undefined || fitting.length < MIN_ANSWERS) {
    const message = `only ${fitting.length} of ${sources.length} servers sent consensus parameters that fit the header of height ${height}; at least ${MIN_ANSWERS} servers must send them`
    throw new ProviderError(PROVIDER_ERRORS.noParams, message, { data: { height } })
  }
  const bytes = bytesToHex(ConsensusParams.encode(first.params))
  const other = fitting.find(({ params }) => bytesToHex(ConsensusParams.encode(params)) !== bytes)
  if (other === undefined) return first.params
  throw new RestoreError(
    RESTORE_ERRORS.servers,
    `no state can be proven (${first.name} and ${other.name} have different consensus parameters at height ${height}): find out which of statesync.rpc_servers is right, and remove the others`,
    { data: { height, servers: [first.name, other.name] } },
  )
}
