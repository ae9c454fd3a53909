import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesToHex } from '@org/types/bytes'
import { WebSocketServer } from 'ws'
import { type AnswerTexts, createAnswerTexts } from './answer-texts.ts'
import { blockIdOf, openLightChain } from './light-chain.ts'

// A program that runs as a separate process. It acts as a node: it answers `commit` and `validators` with data of a
// generated chain, for the light clients of Halley and of the reference.

/** The options of the process, as JSON in its only argument. */
export interface LightServer {
  /** The height of the chain. */
  readonly latest: number
  /** The path of the file with the signatures of the chain. */
  readonly file: string
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

async function resultOf(texts: AnswerTexts, { method, params }: Call, latest: number): Promise<string> {
  const height = Number(params?.height ?? latest)
  if (method === 'commit') return texts.commit(height)
  if (method !== 'validators')
    throw new TypeError(`this server has only the methods commit and validators, not ${method}`)
  return texts.validators(height, { page: Number(params.page ?? 1), perPage: Number(params.per_page ?? 30) })
}

async function main({ latest, file }: LightServer): Promise<void> {
  const chain = await openLightChain(file)
  const texts = createAnswerTexts(chain)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as Call | readonly Call[]
    const replies: string[] = []
    for (const call of [sent].flat() as readonly Call[])
      replies.push(`{"jsonrpc":"2.0","id":${call.id},"result":${await resultOf(texts, call, latest)}}`)
    response.setHeader('content-type', 'application/json')
    response.end(Array.isArray(sent) ? `[${replies.join(',')}]` : replies[0])
  })
  // The proxy of the reference's light client opens a WebSocket at its start. This server accepts the WebSocket, and
  // sends nothing over it.
  new WebSocketServer({ server })
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    const ready: LightServerReady = { port, hash: bytesToHex(blockIdOf(chain.headerAt(1)).hash) }
    console.log(JSON.stringify(ready))
  })
}

await main(JSON.parse(process.argv[2] as string) as LightServer)
