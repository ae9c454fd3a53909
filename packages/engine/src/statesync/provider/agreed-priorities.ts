import { hashHeader, hashProposerPriorities } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { ProvenBlock } from '../../execution/index.ts'
import { RESTORE_ERRORS, RestoreError } from '../restore/index.ts'
import { PROVIDER_ERRORS, ProviderError } from './errors.ts'

/** A server from which the node requests blocks. The server need not be trusted. */
export interface BlockSource {
  readonly name: string
  /** Resolves with the block of a height, without its transactions. Rejects if the server does not answer. */
  readonly blockAt: (height: number, signal: AbortSignal) => Promise<ProvenBlock>
}

/** The minimum number of servers that must send the same proposer priorities. */
const MIN_ANSWERS = 2

/**
 * Checks the proposer priorities in a verified block. No hash covers these priorities. At least two servers must have
 * sent the same priorities, and no server may have sent the same header with other priorities. Throws a `RestoreError`
 * (`STATESYNC_SERVERS`) if servers disagree, and a {@link ProviderError} if too few servers sent the block.
 */
export async function checkPriorities(
  { header, validators }: ProvenBlock,
  sources: readonly BlockSource[],
  signal: AbortSignal,
): Promise<void> {
  const { height } = header
  const answers = await Promise.allSettled(sources.map((source) => source.blockAt(height, signal)))
  signal.throwIfAborted()
  const [hash, wanted] = [hashHeader(header), hashProposerPriorities(validators)]
  let confirmed = 0
  for (const [index, answer] of answers.entries()) {
    // The verified header is the right one. So the answer of a server with another header is wrong, and does not count.
    if (answer.status === 'rejected' || !equalBytes(hashHeader(answer.value.header), hash)) continue
    if (equalBytes(hashProposerPriorities(answer.value.validators), wanted)) confirmed++
    else throw disagree(height, sources[index]?.name ?? '')
  }
  if (confirmed >= MIN_ANSWERS) return
  const message = `only ${confirmed} of ${sources.length} servers sent the proposer priorities of the verified block at height ${height}; at least ${MIN_ANSWERS} servers must send them`
  throw new ProviderError(PROVIDER_ERRORS.noPriorities, message, { data: { height } })
}

function disagree(height: number, server: string): RestoreError {
  return new RestoreError(
    RESTORE_ERRORS.servers,
    `no state can be proven (${server} has other proposer priorities at height ${height} than another server): find out which of statesync.rpc_servers is right, and remove the others`,
    { data: { height, server } },
  )
}
