import { createSystemClock } from '@org/runtime'
import { type Block, type BlockId, LegacyAbciResponses } from '@org/types'
import { ExecTxResult, ResponseFinalizeBlock } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { createPace } from '../src/call/call-pace.ts'
import { gatherSlices, piecesOfList, slicesOf } from '../src/call/json-slices.ts'
import type { Mempool } from '../src/index.ts'
import { block, blockByHash } from '../src/operations/blocks.ts'
import { blockSearch } from '../src/operations/search.ts'
import { unconfirmedTxs } from '../src/operations/txs.ts'
import { referenceProfile } from '../src/profiles/index.ts'
import { openapiProfile } from '../src/profiles/openapi.ts'
import { createDumpPorts } from './dump-ports.ts'
import { startRpc } from './start-rpc.ts'

/** Returns a clock that advances 0.3 milliseconds at each reading, and a `Pace` that measures time with this clock. */
function ticking() {
  let now = 0
  const clock = { monotonic: () => (now += 0.3), after: createSystemClock().after }
  return { clock, pace: createPace({ clock }) }
}

const EMPTY = new Uint8Array(0)
const event = (key: string) => ({ type: 'app<&>', attributes: [{ key, value: '\u2028é\u{1f600}', index: true }] })

const made = ResponseFinalizeBlock.create({
  events: [event('begin')],
  txResults: Array.from({ length: 5000 }, (_, i) =>
    ExecTxResult.create({
      code: i % 3,
      data: i % 2 === 0 ? utf8ToBytes(`data ${i}`) : EMPTY,
      events: [event(`k${i}`)],
    }),
  ),
  appHash: new Uint8Array(32).fill(7),
})

const stored = ResponseFinalizeBlock.encode(made)
const response = ResponseFinalizeBlock.decode(stored)

function portsOf(large: ResponseFinalizeBlock, bytes: Uint8Array | undefined) {
  const { state } = createDumpPorts('kvstore-single', { indexing: true })
  const reads = { whole: 0, bytes: 0 }
  const loadFinalizeBlockResponse = (): ResponseFinalizeBlock => {
    reads.whole++
    return large
  }
  const loadFinalizeBlockBytes = (): Uint8Array | undefined => {
    reads.bytes++
    return bytes
  }
  return { reads, state: { ...state, loadFinalizeBlockResponse, loadFinalizeBlockBytes } }
}

async function answersOf(ports: Parameters<typeof startRpc>[1], paths: readonly string[]): Promise<string[]> {
  await using running = await startRpc({}, ports)
  return await Promise.all(paths.map(async (path) => (await fetch(`http://127.0.0.1:${running.port}${path}`)).text()))
}

describe('gatherSlices', () => {
  test('behavior: other work gets a turn every few milliseconds', async () => {
    let turns = 0
    let isDone = false
    const count = (): void => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const pieces = Array.from({ length: 1000 }, (_, i) => `${i},`)
    const bytes = await gatherSlices(pieces, ticking())
    isDone = true
    expect(new TextDecoder().decode(bytes)).toBe(pieces.join(''))
    // Each turn of the event loop has room for one slice of a millisecond, which encodes only a few pieces. So all
    // pieces together need many turns.
    expect(turns).toBeGreaterThan(100)
  })

  test('behavior: a turn has room for one slice, for any number of large answers', async () => {
    const modules = ticking()
    let turn = 0
    let isDone = false
    const count = (): void => {
      turn++
      if (!isDone) setImmediate(count)
    }
    const perTurn = new Map<number, number>()
    function* pieces(): Generator<string> {
      for (let i = 0; i < 20; i++) {
        perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1)
        yield `${i},`
      }
    }
    const all = Promise.all(Array.from({ length: 50 }, () => gatherSlices(pieces(), modules)))
    setImmediate(count)
    expect((await all).length).toBe(50)
    isDone = true
    // All 50 answers begin in the first turn of the event loop, and each answer encodes a few pieces before it waits.
    // So the first turn has more pieces than a later turn, which has only one slice. The first turn is left out.
    perTurn.delete(0)
    expect(Math.max(...perTurn.values())).toBeLessThan(10)
  })

  test('default: a list that is encoded in pieces equals the list', () => {
    const stringify = (values: readonly number[]): string => `{"a":${JSON.stringify(values)},"b":[1]}`
    for (const list of [[], [1], [1, 2, 3]]) {
      const pieces = piecesOfList(stringify([]), list, { stringify: String })
      expect([...pieces].join('')).toBe(stringify(list))
    }
  })

  test('default: a text keeps its characters', async () => {
    const text = '\u{1f600}é<'.repeat(100_000)
    expect(new TextDecoder().decode(await gatherSlices(slicesOf(text), ticking()))).toBe(text)
  })
})

describe('large answers', () => {
  test.each(['', '?profile=openapi'])('default: block_results of 5,000 transactions %s', async (query) => {
    const sliced = portsOf(response, stored)
    const whole = portsOf(response, undefined)
    const [expected] = await answersOf({ state: whole.state }, [`/block_results${query}`])
    const many = Array.from({ length: 8 }, () => `/block_results${query}`)
    for (const answer of await answersOf({ state: sliced.state }, many)) expect(answer === expected).toBe(true)
    expect(expected?.length).toBeGreaterThan(500_000)
    // The eight concurrent calls share one reading of the stored response.
    expect([sliced.reads, whole.reads.whole]).toEqual([{ whole: 0, bytes: 1 }, 1])
  })

  test.each([
    [referenceProfile, ''],
    [openapiProfile, '&profile=openapi'],
  ])('default: blocks of 5,000 transactions $name', async (profile, query) => {
    const dump = createDumpPorts('kvstore-single', { indexing: true })
    const [first, small] = [2, 3].map((height) => dump.blocks.loadBlock(height) as Block) as [Block, Block]
    const txs = Array.from({ length: 5000 }, (_, i) => new Uint8Array(100 + (i % 7)).fill(i))
    const large: Block = { ...first, data: { txs: [...txs, new Uint8Array(300_000)] } }
    const ports = {
      blocks: {
        ...dump.blocks,
        loadBlock: (height: number) => (height === 2 ? large : dump.blocks.loadBlock(height)),
        loadBlockByHash: () => large,
      },
      search: { ...dump.search, blocks: async () => ({ total: 2, page: async () => [3, 2] }) },
    }
    const found = [small, large].map((one) => ({
      blockId: dump.blocks.loadBlockMeta(one.header.height)?.blockId as BlockId,
      block: one,
    }))
    const all = { ...dump, ...ports }
    const expected = [
      profile.resultText(block, found[1], all),
      profile.resultText(blockByHash, found[1], all),
      profile.resultText(blockSearch, { blocks: found, totalCount: 2 }, all),
    ].map((text) => `{"jsonrpc":"2.0","id":${profile.noId},"result":${text}}`)
    const paths = ['/block?height=2', '/block_by_hash?hash=0x00', '/block_search?query="a=1"'].map(
      (path) => path + query,
    )
    for (const [i, answer] of (await answersOf(ports, paths)).entries()) expect(answer === expected[i]).toBe(true)
    // One transaction has more than 100,000 characters. No other piece is as long.
    const lengths = [...(profile.resultPieces(block, found[1], all) ?? [])].map(({ length }) => length)
    expect(lengths.filter((length) => length > 100_000)).toHaveLength(1)
    expect(profile.resultPieces(block, found[0], all)).toBeUndefined()
  })

  test.each([
    [referenceProfile, ''],
    [openapiProfile, '&profile=openapi'],
  ])('limit: large unconfirmed transactions are written in pieces $name', async (profile, query) => {
    const txs = [
      EMPTY,
      new Uint8Array(1).fill(9),
      ...Array.from({ length: 20 }, (_, i) => new Uint8Array(70_000).fill(i)),
    ]
    const mempool = { reapMaxTxs: () => txs, size: () => 30, sizeBytes: () => 2_000_000 } as unknown as Mempool
    const value = { nTxs: txs.length, total: 30, totalBytes: 2_000_000, txs }
    const ports = createDumpPorts('kvstore-single', { indexing: true })
    const text = profile.resultText(unconfirmedTxs, value, ports)
    const expected = `{"jsonrpc":"2.0","id":${profile.noId},"result":${text}}`
    const [answer] = await answersOf({ mempool }, [`/unconfirmed_txs?limit=100${query}`])
    expect(answer === expected).toBe(true)
    expect([...(profile.resultPieces(unconfirmedTxs, value, ports) ?? [])].length).toBeGreaterThan(txs.length)
    expect(profile.resultPieces(unconfirmedTxs, { ...value, txs: txs.slice(0, 2) }, ports)).toBeUndefined()
  })

  test('behavior: a small result, a result without an app hash and a result of an old chain are read whole', async () => {
    const old = LegacyAbciResponses.encode(LegacyAbciResponses.create({ deliverTxs: response.txResults }))
    const broken = new Uint8Array(100_000)
    const withoutHash = ResponseFinalizeBlock.encode({ ...response, appHash: EMPTY })
    for (const bytes of [new Uint8Array(10), old, broken, withoutHash]) {
      const ports = portsOf(response, bytes)
      await answersOf({ state: ports.state }, ['/block_results'])
      expect(ports.reads.whole).toBe(1)
    }
  })

  test.each([
    ['of one chunk', 3_000_000],
    ['of three', 35_000_000],
  ])('default: a genesis %s', async (_name, size) => {
    const text = `{"app_state":"${'é'.repeat(size / 2)}"}`
    const genesis = { text: () => text }
    const bytes = utf8ToBytes(text)
    const total = Math.ceil(bytes.length / (16 * 1024 * 1024))
    const paths = ['/genesis', ...Array.from({ length: total + 1 }, (_, chunk) => `/genesis_chunked?chunk=${chunk}`)]
    const [whole = '', ...chunks] = await answersOf({ genesis }, paths)
    if (total === 1) expect(whole === `{"jsonrpc":"2.0","id":-1,"result":{"genesis":${text}}}`).toBe(true)
    else expect(whole).toContain('genesis response is large, please use the genesis_chunked API instead')
    const beyond = chunks.pop()
    expect(beyond).toContain(`there are ${total - 1} chunks, ${total} is invalid`)
    const parts = chunks.map((answer, chunk) => {
      const { result } = JSON.parse(answer) as { result: { chunk: string; total: string; data: string } }
      expect([result.chunk, result.total]).toEqual([String(chunk), String(total)])
      return Buffer.from(result.data, 'base64')
    })
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
  })
})
