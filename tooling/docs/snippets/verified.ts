import { createHttpProvider } from '@org/light'
import { createVerifiedClient } from '@org/light/verified'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'

const url = 'http://127.0.0.1:26657'
const client = createRpcClient(createHttpTransport(url))
const chainId = (await client.status()).nodeInfo.network
const { blockId } = await client.block({ height: 1 }) // a real program needs a hash from a source that you trust

const verified = await createVerifiedClient({
  client,
  trust: { chainId, height: 1, hash: blockId.hash, period: 14n * 24n * 3600n * 1_000_000_000n },
  // This node is its own witness. A real program needs witnesses of independent operators.
  witnesses: [createHttpProvider({ chainId, url })],
})
const { block } = await verified.block({ height: 2 })
console.log(block?.header.height)
