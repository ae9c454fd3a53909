import { loadOnce } from '@org/runtime'
import { type HttpRequest, type HttpResponse, typed } from '../http/index.ts'
import type { RpcService } from '../service.ts'
import { VIEWER_PATHS } from './viewer.ts'

/** The paths of documents and probes. The reference does not have them. */
export interface DocumentsAndProbes {
  /** Answers a request for one of these paths; `undefined` for any other path. */
  readonly answer: (path: string, request: HttpRequest) => Promise<HttpResponse> | undefined
}

type Make = () => Promise<HttpResponse>

const JSON_TYPE = typed('application/json')
const TEXT_TYPE = typed('text/plain; charset=utf-8')

const NANOSECONDS = 1_000_000n

const plain = (status: number, text: string): HttpResponse => ({ status, headers: TEXT_TYPE, body: [`${text}\n`] })

/**
 * Returns the answer of both probes after a consensus failure, after which the node makes no blocks until it is
 * restarted. Returns `undefined` if consensus has not failed.
 */
function failed({ ports }: RpcService): HttpResponse | undefined {
  const code = ports.consensus?.failure?.()
  return code === undefined
    ? undefined
    : plain(503, `consensus has failed (${code}): read the log, and start the node again`)
}

/** A node is ready if it has a chain, if it is not catching up, and if its last block is not older than the limit. */
function readiness({ ports, options, clock }: RpcService): HttpResponse {
  if (ports.preparation !== undefined) return plain(503, ports.preparation.progress())
  if (ports.consensus?.waitSync() === true) return plain(503, ports.consensus.syncProgress?.() ?? 'catching up')
  const limit = options.readyMaxLagMs
  if (limit <= 0) return plain(200, 'ready')
  const meta = ports.blocks.loadBlockMeta(ports.blocks.height())
  if (meta === undefined) return plain(503, 'the chain has no block yet')
  const lagMs = (clock.now() - meta.header.time) / NANOSECONDS
  return lagMs > BigInt(limit) ? plain(503, `the last block is ${lagMs} ms old`) : plain(200, 'ready')
}

/**
 * Serves the API documents, the page that shows them, and the probes. A document is made when it is first requested.
 */
export function createDocumentsAndProbes(service: RpcService): DocumentsAndProbes {
  const { unsafe } = service.options
  const devnet = service.ports.devnet !== undefined
  const profile = service.profile.name
  const json = (document: unknown): HttpResponse => ({
    status: 200,
    headers: JSON_TYPE,
    body: [JSON.stringify(document)],
  })
  const paths = new Map<string, Make>([
    [
      '/openapi.json',
      loadOnce(async () => {
        const { createOpenApiDocument } = await import('../openapi/index.ts')
        return json(createOpenApiDocument({ unsafe, devnet, servers: ['.'], profile }))
      }),
    ],
    [
      '/openrpc.json',
      loadOnce(async () => {
        const { createOpenRpcDocument } = await import('../openapi/index.ts')
        return json(createOpenRpcDocument({ unsafe, devnet, servers: [], profile }))
      }),
    ],
    ...VIEWER_PATHS,
    ['/livez', async () => failed(service) ?? plain(200, 'alive')],
    ['/readyz', async () => failed(service) ?? readiness(service)],
    // A node without a chain answers `/events` with its progress. As soon as the node has a chain, the path serves
    // events.
    ...(service.ports.preparation === undefined ? [] : [['/events', async () => readiness(service)] as const]),
  ])
  return {
    answer: (path, { method }) => {
      if (service.options.strict || (method !== 'GET' && method !== 'HEAD')) return undefined
      return paths.get(path)?.()
    },
  }
}
