import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignedHeader } from '@org/types/block'
import { bytesToHex } from '@org/types/bytes'
import { type JsonObject, stringifyJson } from '@org/types/schema'
import { Validator } from '@org/types/validators'
import { WebSocketServer } from 'ws'
import { type LightChain, type LightChainOptions, openLightChain } from './light-chain.ts'

// A separate process: a node that answers `commit` and `validators` of a made chain, for light clients of both kinds.
// It shares the machine with the light client, so it keeps what many answers have in common.

/** The input of the process, as JSON in its only argument. */
export interface LightServer extends Omit<LightChainOptions, 'startTime'> {
  /** The time of the first block, in seconds since 1970. */
  readonly startTime: number
  /** The number of the first heights that are signed before the process is ready. */
  readonly prepared: number
}

/** The line that the process writes when it is ready. */
export interface LightServerReady {
  readonly port: number
  /** The hash of the header at height 1, in hex. */
  readonly hash: string
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, string>>
}

/** The text of each page of validators. It is the same at many heights. */
const pages = new Map<string, string>()

function validatorsText(chain: LightChain, height: number, params: Call['params']): string {
  const { validators } = chain.validatorsAt(height)
  const [page, perPage] = [Number(params.page ?? 1), Number(params.per_page ?? 30)]
  const key = `${bytesToHex(chain.headerAt(height).validatorsHash)} ${page} ${perPage}`
  const shown = validators.slice((page - 1) * perPage, page * perPage)
  const list = pages.get(key) ?? stringifyJson(shown.map(Validator.toJson))
  pages.set(key, list)
  return `{"block_height":"${height}","validators":${list},"count":"${shown.length}","total":"${validators.length}"}`
}

/**
 * The texts of the first requested commits. They serve all requests of a client that skips blocks, and few requests of
 * a client that does not.
 */
const commits = new Map<number, string>()
const MAX_COMMITS = 1000

async function commitText(chain: LightChain, height: number): Promise<string> {
  const signed = SignedHeader.toJson({ header: chain.headerAt(height), commit: await chain.commitAt(height) })
  const text = stringifyJson({ signed_header: signed, canonical: true } as JsonObject)
  if (commits.size < MAX_COMMITS) commits.set(height, text)
  return text
}

async function resultOf(chain: LightChain, { method, params }: Call): Promise<string> {
  const height = Number(params?.height ?? chain.latest)
  if (method === 'validators') return validatorsText(chain, height, params)
  if (method !== 'commit') throw new TypeError(`a light client asked for ${method}`)
  return commits.get(height) ?? commitText(chain, height)
}

async function main({ startTime, prepared, ...options }: LightServer): Promise<void> {
  const chain = await openLightChain({ ...options, startTime: BigInt(startTime) * 1_000_000_000n })
  for (let height = 1; height <= prepared; height++) await chain.commitAt(height)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Call | readonly Call[]
    const calls = [sent].flat() as readonly Call[]
    const replies: string[] = []
    for (const call of calls) replies.push(`{"jsonrpc":"2.0","id":${call.id},"result":${await resultOf(chain, call)}}`)
    response.setHeader('content-type', 'application/json')
    response.end(Array.isArray(sent) ? `[${replies.join(',')}]` : replies[0])
  })
  // The proxy of the reference opens a WebSocket at its start, for subscriptions.
  new WebSocketServer({ server })
  const { blockId } = await chain.commitAt(1)
  server.listen(0, '127.0.0.1', () => {
    const ready: LightServerReady = { port: (server.address() as AddressInfo).port, hash: bytesToHex(blockId.hash) }
    console.log(JSON.stringify(ready))
  })
}

await main(JSON.parse(process.argv[2] as string) as LightServer)
