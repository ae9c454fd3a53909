import { isRpcFailure, type RpcMethods } from '@org/rpc/client'
import { brief } from '../format/bytes.ts'
import { hashOf } from '../format/user-input.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { linkTo, route } from '../route.ts'

/** Whether the node itself refused the call, for example because it does not have the transaction. */
const isRefused = (error: unknown): boolean => isRpcFailure(error) && error.code === 'RPC_CLIENT_REFUSED'

/** Returns the answer, or `undefined` if the node refused the call. Rejects if the node did not answer. */
function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isRefused(error)) return undefined
    throw error
  })
}

/** Finds the block or the transaction with this hash, and opens the screen that shows it. */
async function find(client: RpcMethods, hex: string): Promise<boolean> {
  const hash = hashOf(hex)
  const block = (await unlessRefused(client.blockByHash({ hash })))?.block
  if (block !== undefined) {
    location.replace(linkTo('block', block.header.height))
    return true
  }
  const tx = await unlessRefused(client.tx({ hash }))
  if (tx !== undefined) location.replace(linkTo('tx', hex))
  return tx !== undefined
}

/** Shows a hash while the page finds out whether it belongs to a block or to a transaction. */
export function HashScreen() {
  const hex = route.value.id
  const { value, error, exchanges } = useAnswer(`hash-${hex}`, (client) => find(client, hex))
  return (
    <>
      <h1>Hash</h1>
      <p class="wrap">
        <code>{brief(hex, 64)}</code>
      </p>
      {error === undefined ? (
        <p role="status">
          {value === undefined
            ? 'Searching …'
            : 'The node has no block and no transaction with this hash. A transaction is found after its block, if the node has an index of transactions.'}
        </p>
      ) : (
        <Problem error={error} />
      )}
      <Raw exchanges={exchanges} />
    </>
  )
}
