import { type ServerType, serve } from '@hono/node-server'
import { createRpc, type Ports } from '@org/rpc'
import { createHttpTransport, createRpcClient, type RpcClientError } from '@org/rpc/client'
import { createOpenApiDocument } from '@org/rpc/openapi'
import type { Block, BlockMeta } from '@org/types'
import { Hono } from 'hono'

/**
 * Returns ports through which the RPC reads the data of one block. In a real program, such as an indexer, the ports
 * would read the data that the program stores.
 */
function portsOver(block: Block, meta: BlockMeta): Ports {
  const at =
    <T>(value: T) =>
    (height: number): T | undefined =>
      height === 1 ? value : undefined
  const nothing = (): never => {
    throw new Error('not stored here')
  }
  return {
    blocks: {
      base: () => 1,
      height: () => 1,
      loadBlock: at(block),
      loadBlockMeta: at(meta),
      loadBlockMetaByHash: () => meta,
      loadBlockByHash: () => block,
      loadBlockCommit: () => undefined,
      loadSeenCommit: () => undefined,
    },
    state: { loadValidators: nothing, loadConsensusParams: nothing, loadFinalizeBlockResponse: nothing },
    search: { enabled: false, tx: nothing, txs: nothing, blocks: nothing },
  }
}

/**
 * Mounts the RPC in an HTTP application of this project. Calls the RPC over HTTP with the client, and returns the
 * answers.
 */
export async function serveAndAsk(block: Block, meta: BlockMeta): Promise<Record<string, unknown>> {
  const rpc = createRpc({ ports: portsOver(block, meta) })
  const app = new Hono()
  app.get('/', (c) => c.text('mine'))
  app.mount('/rpc', rpc.app.fetch)
  let server: ServerType | undefined
  const port = await new Promise<number>((resolve) => {
    server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port))
  })
  try {
    const base = `http://127.0.0.1:${port}`
    const client = createRpcClient(createHttpTransport(`${base}/rpc`))
    const [asked, header] = await client.batch((c) => [c.block({ height: 1 }), c.header({ height: 1 })])
    const refused = await client.block({ height: 7 }).catch((error: RpcClientError) => error.code)
    return {
      mine: await (await fetch(base)).text(),
      health: await (await fetch(`${base}/rpc/health`)).json(),
      height: asked.block?.header?.height,
      sameHeader: header.header?.appHash.length,
      refused,
      paths: Object.keys(createOpenApiDocument({ title: 'Mine' }).paths as object).length,
    }
  } finally {
    server?.close()
  }
}
