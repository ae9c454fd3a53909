import type { RpcMethods } from '@org/rpc/client'
import { bytesOfHex } from '../format/bytes.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Raw } from '../parts/raw.tsx'
import { linkTo, route } from '../route.ts'

/** Finds the block or the transaction with this hash, and goes to the screen of what it found. */
async function find(client: RpcMethods, hex: string): Promise<boolean> {
  const hash = bytesOfHex(hex) ?? new Uint8Array()
  const { block } = await client.blockByHash({ hash }).catch(() => ({ block: undefined }))
  if (block !== undefined) {
    location.replace(linkTo('block', block.header.height))
    return true
  }
  const tx = await client.tx({ hash }).catch(() => undefined)
  if (tx !== undefined) location.replace(linkTo('tx', hex))
  return tx !== undefined
}

/** Shows a hash while the page finds out whether it belongs to a block or to a transaction. */
export function HashScreen() {
  const hex = route.value.id
  const { value, exchanges } = useAnswer(`hash-${hex}`, (client) => find(client, hex))
  return (
    <>
      <h1>Hash</h1>
      <p class="wrap">
        <code>{hex.slice(0, 64)}</code>
      </p>
      <p role="status">
        {value === undefined
          ? 'Searching …'
          : 'The node has no block and no transaction with this hash. A transaction is found after its block, if the node has an index of transactions.'}
      </p>
      <Raw exchanges={exchanges} />
    </>
  )
}
