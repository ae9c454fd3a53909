import { isRpcFailure } from '@org/rpc/client'
import { visible } from '../format/bytes.ts'
import { RPC_URL } from '../live/node.ts'

function adviceOf(message: string): string | undefined {
  if (/must be less than or equal to the current blockchain height/.test(message))
    return 'The chain does not have this block yet.'
  if (/is not available, lowest height is/.test(message))
    return 'The node has removed this block: ask a node that keeps all blocks.'
  if (/\btx \(/.test(message) && message.includes('not found'))
    return 'No block of this node has this transaction. It may wait in the mempool, or the node may have no index of transactions.'
  if (/indexing is disabled/.test(message))
    return 'Set indexer = "kv" in the section [tx_index] of config.toml, and start the node again.'
  return undefined
}

/** The message of an error. */
export const messageOf = (error: unknown): string =>
  visible(error instanceof Error ? error.message : String(error)).slice(0, 2000)

/** An error, with advice where there is some. */
export function Problem({ error, advice }: { readonly error: unknown; readonly advice?: string | undefined }) {
  const message = messageOf(error)
  const found = advice ?? adviceOf(message)
  const isAnswer = isRpcFailure(error) && error.code === 'RPC_CLIENT_REFUSED'
  return (
    <div class="problem" role="alert">
      <strong>{isAnswer ? 'The node refused the call.' : `No answer from ${RPC_URL}.`}</strong>
      <p>{message}</p>
      {found === undefined ? null : <p class="advice">{found}</p>}
    </div>
  )
}
