import { isRpcFailure } from '@org/rpc/client'
import { visible } from '../format/bytes.ts'
import { InputError } from '../format/errors.ts'
import { RPC_URL } from '../live/node.ts'

function adviceOf(message: string): string | undefined {
  if (/must be less than or equal to the current blockchain height/.test(message))
    return 'The chain does not have this block yet.'
  if (/min height \d+ can't be greater than max height/.test(message))
    return 'The chain does not have these blocks yet.'
  if (/is not available, lowest height is/.test(message))
    return 'The node has removed this block: ask a node that keeps all blocks.'
  if (/\btx \(/.test(message) && message.includes('not found'))
    return 'No block of this node has this transaction. It may wait in the mempool, or the node may have no index of transactions.'
  if (/indexing is disabled/.test(message))
    return 'Set indexer = "kv" in the section [tx_index] of config.toml, and start the node again.'
  return undefined
}

function titleOf(error: unknown): string {
  if (error instanceof InputError) return 'This cannot be read.'
  if (!isRpcFailure(error)) return 'The page cannot show this.'
  if (error.code === 'RPC_CLIENT_REFUSED') return 'The node refused the call.'
  return error.code === 'RPC_CLIENT_SHAPE'
    ? 'The node sent an answer that this page cannot read.'
    : `No answer from ${RPC_URL}.`
}

/** Returns the message of an error. */
export const messageOf = (error: unknown): string =>
  visible(error instanceof Error ? error.message : String(error)).slice(0, 2000)

interface ProblemProps {
  readonly error: unknown
  readonly advice?: string | undefined
  /** True for a fault that a check of this page found; false for an error of the node or of the connection. */
  readonly isLocal?: boolean
}

/** Shows an error, with advice on what the user can do if the page has such advice. */
export function Problem({ error, advice, isLocal = false }: ProblemProps) {
  const message = messageOf(error)
  const found = advice ?? adviceOf(message)
  return (
    <div class="problem" role="alert">
      <strong>{isLocal ? 'The check failed.' : titleOf(error)}</strong>
      <p>{message}</p>
      {found === undefined ? null : <p class="advice">{found}</p>}
    </div>
  )
}
