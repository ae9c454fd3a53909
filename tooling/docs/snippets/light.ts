import { createHttpProvider, createLightClient, createMemoryLightStore } from '@org/light'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'

const url = 'http://127.0.0.1:26657'
const node = createRpcClient(createHttpTransport(url))
const { nodeInfo } = await node.status()
// In a real program, take height and hash from a source that you trust, not from the node that you verify.
const { blockId } = await node.block({ height: 1 })

const chainId = nodeInfo.network
const client = await createLightClient(
  { chainId, trust: { height: 1, hash: blockId.hash }, trustingPeriod: 14n * 24n * 3600n * 1_000_000_000n },
  {
    primary: createHttpProvider({ chainId, url }),
    // This node is its own witness. A real program needs witnesses of independent operators.
    witnesses: [createHttpProvider({ chainId, url })],
    store: createMemoryLightStore(),
  },
)
const block = await client.update()
console.log('verified:', (block?.header.height ?? 0) > 1)
