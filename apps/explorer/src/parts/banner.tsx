import { failure } from '../live/chain.ts'
import { connection, RPC_URL } from '../live/node.ts'
import { messageOf } from './problem.tsx'

const isOwnNode = (): boolean => RPC_URL.startsWith(location.origin)

/** Shows a fault that concerns every screen: a lost connection, or answers of the node that cannot be read. */
export function Banner() {
  if (connection.value === 'lost')
    return (
      <div class="problem banner" role="alert">
        <strong>No connection to {RPC_URL}.</strong>
        <span class="advice">
          {' '}
          The page tries again by itself. What it shows is old.{' '}
          {isOwnNode()
            ? 'Check whether the node still runs.'
            : 'Check whether a node runs at this address. A Halley node accepts pages of other origins only if its [rpc] cors_allowed_origins names them.'}
        </span>
      </div>
    )
  if (failure.value === undefined || connection.value !== 'live') return null
  return (
    <div class="problem banner" role="alert">
      <strong>The page cannot read what {RPC_URL} answers.</strong>
      <p>{messageOf(failure.value).slice(0, 400)}</p>
      <p class="advice">Is it the RPC of a CometBFT v0.38 node? The page tries again by itself.</p>
    </div>
  )
}
