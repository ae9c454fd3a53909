import { once } from 'node:events'
import { type Block, BlockIdFlag, LightClientAttackEvidence, Validator } from '@org/types'
import { ExecTxResult, ResponseCheckTx, ResponseFinalizeBlock, ResponseInfo } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createRpcServer, type Ports, ROUTES } from '../src/index.ts'
import { openapiProfile } from '../src/profiles/openapi.ts'
import { createDumpPorts } from './dump-ports.ts'
import { createMemoryEvents } from './memory-events.ts'
import { sendRaw } from './raw.ts'
import { startRpc } from './start-rpc.ts'

type Json = { readonly [key: string]: Json } & readonly Json[]
type Check = (value: unknown) => boolean

const isString: Check = (value) => typeof value === 'string'
const isInteger: Check = (value) => Number.isSafeInteger(value)
const isDecimal: Check = (value) => isString(value) && /^\d+$/.test(value as string)
const isHex: Check = (value) => isString(value) && /^([0-9A-F]{2})*$/.test(value as string)
const isBase64: Check = (value) =>
  isString(value) && Buffer.from(value as string, 'base64').toString('base64') === (value as string)
const isTime: Check = (value) =>
  isString(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value as string)
const isArray: Check = Array.isArray

type Table = Readonly<Record<string, Check | string>>

/**
 * The tables of the service document: each field of a resource, and its type. If the type is a name, it refers to
 * another table.
 */
const TABLES: Readonly<Record<string, Table>> = {
  BlockComplete: { block_id: 'BlockId', block: 'Block' },
  BlockId: { hash: isHex, parts: 'Parts' },
  Parts: { total: isInteger, hash: isHex },
  Block: { header: 'BlockHeader', data: isArray, evidence: isArray, last_commit: 'LastCommit' },
  LastCommit: { height: isInteger, round: isInteger, block_id: 'BlockId', signatures: isArray },
  Version: { block: isDecimal, app: isDecimal },
  BlockHeader: {
    version: 'Version',
    chain_id: isString,
    height: isDecimal,
    time: isTime,
    last_block_id: 'BlockId',
    last_commit_hash: isHex,
    data_hash: isHex,
    validators_hash: isHex,
    next_validators_hash: isHex,
    consensus_hash: isHex,
    app_hash: isHex,
    last_results_hash: isHex,
    evidence_hash: isHex,
    proposer_address: isHex,
  },
  Evidence: {
    type: isString,
    height: isInteger,
    time: isInteger,
    total_voting_power: isInteger,
    validator: 'Validator',
  },
  Commit: {
    type: (value) => value === 2,
    height: isDecimal,
    round: isInteger,
    block_id: 'BlockId',
    timestamp: isTime,
    validator_address: isHex,
    validator_index: isInteger,
    signature: isBase64,
  },
  Validator: { pub_key: 'PubKey', voting_power: isInteger, address: isHex },
  PubKey: { type: (value) => value === 'tendermint/PubKeyEd25519', value: isBase64 },
}

/** Checks a value against a table: every field is present with its type, and there are no other fields. */
function walk(name: string, value: unknown): void {
  const table = TABLES[name] as Table
  expect(Object.keys(value as object).sort(), name).toEqual(Object.keys(table).sort())
  for (const [field, check] of Object.entries(table)) {
    const member = (value as Record<string, unknown>)[field]
    if (typeof check === 'string') walk(check, member)
    else expect(check(member), `${name}.${field} = ${JSON.stringify(member)}`).toBe(true)
  }
}

function walkBlock(block: Json): void {
  walk('Block', block)
  for (const tx of block.data ?? []) expect(isBase64(tx)).toBe(true)
  for (const evidence of block.evidence ?? []) walk('Evidence', evidence)
  for (const signature of block.last_commit?.signatures ?? []) walk('Commit', signature)
}

async function get(port: number, path: string, accept?: string): Promise<{ response: Response; body: Json }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, accept === undefined ? {} : { headers: { accept } })
  return { response, body: (await response.json()) as Json }
}

async function post(port: number, path: string, call: object): Promise<Json> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: JSON.stringify(call) })
  return (await response.json()) as Json
}

const PROFILE = 'profile=openapi'
const headersForCaches = ({ headers }: Response): readonly (string | null)[] => [
  headers.get('cache-control'),
  headers.get('vary'),
]
const fourPorts = (): Ports => createDumpPorts('kvstore-four', { indexing: true, dump: 'db-dump-node0' })

const heightsOf = ({ blocks }: Ports): readonly number[] =>
  Array.from({ length: blocks.height() - blocks.base() + 1 }, (_, i) => blocks.base() + i)

/**
 * Replaces `loadBlock` of the ports by a function that applies `change` to the recorded block and returns the result.
 */
function withBlock(ports: Ports, change: (block: Block) => Block): Partial<Ports> {
  const loadBlock = (height: number): Block | undefined => {
    const block = ports.blocks.loadBlock(height)
    return block === undefined ? undefined : change(block)
  }
  return { blocks: { ...ports.blocks, loadBlock } }
}

describe("the document's tables, row by row", () => {
  test('default: every recorded block of one validator', async () => {
    await using running = await startRpc()
    const ports = createDumpPorts('kvstore-single', { indexing: true })
    for (const height of heightsOf(ports)) {
      const { response, body } = await get(running.port, `/block?height=${height}&${PROFILE}`)
      expect(Object.keys(body)).toEqual(['jsonrpc', 'id', 'result'])
      expect([body.jsonrpc, body.id]).toEqual(['2.0', ''])
      expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
      walk('BlockComplete', body.result)
      walkBlock(body.result?.block as Json)
    }
  })

  test('default: blocks of four validators, with evidence, absent and nil votes', async () => {
    const ports = fourPorts()
    await using running = await startRpc({}, ports)
    let evidence = 0
    for (const height of heightsOf(ports)) {
      const { body } = await get(running.port, `/block?height=${height}&${PROFILE}`)
      const block = body.result?.block as Json
      walkBlock(block)
      evidence += block.evidence?.length ?? 0
      const signed = ports.blocks.loadBlock(height)?.lastCommit?.signatures ?? []
      const given = signed.filter(({ blockIdFlag }) => blockIdFlag !== BlockIdFlag.absent)
      expect(block.last_commit?.signatures).toHaveLength(given.length)
    }
    expect(evidence).toBeGreaterThan(0)
  })

  test('behavior: absent signatures are left out, a nil vote has the zero id', async () => {
    const recorded = createDumpPorts('kvstore-single', { indexing: true })
    const changed = withBlock(recorded, (block) => {
      const commit = block.lastCommit as NonNullable<Block['lastCommit']>
      const [one] = commit.signatures
      if (one === undefined) return block
      const signatures = [BlockIdFlag.absent, BlockIdFlag.nil, BlockIdFlag.commit].map((blockIdFlag) => ({
        ...one,
        blockIdFlag,
      }))
      return { ...block, lastCommit: { ...commit, signatures } }
    })
    await using running = await startRpc({}, changed)
    const { body } = await get(running.port, `/block?height=5&${PROFILE}`)
    const signatures = body.result?.block?.last_commit?.signatures as unknown as readonly Json[]
    expect(signatures.map((signature) => signature.validator_index)).toEqual([1, 2])
    expect(signatures[0]?.block_id).toEqual({ hash: '', parts: { total: 0, hash: '' } })
    expect(signatures[1]?.block_id).toEqual(body.result?.block?.last_commit?.block_id)
  })

  test('behavior: a light client attack names the first guilty validator, or none', async () => {
    const recorded = createDumpPorts('kvstore-single', { indexing: true })
    const { validators } = recorded.state.loadValidators(3)
    const attack = (byzantineValidators: readonly Validator[]) => {
      const value = LightClientAttackEvidence.create({
        commonHeight: 3,
        byzantineValidators: [...byzantineValidators],
        totalVotingPower: 2n ** 60n,
        timestamp: 1_700_000_000_123_456_789n,
      })
      return { sum: { case: 'lightClientAttackEvidence' as const, value } }
    }
    const changed = withBlock(recorded, (block) => ({
      ...block,
      evidence: { evidence: [attack(validators.map((one) => Validator.create(one))), attack([])] },
    }))
    await using running = await startRpc({}, changed)
    const response = await fetch(`http://127.0.0.1:${running.port}/block?height=5&${PROFILE}`)
    const text = await response.text()
    // A double cannot represent this number. So its digits are compared in the text of the answer.
    expect(text).toContain('"total_voting_power":1152921504606846976')
    const evidence = (JSON.parse(text) as Json).result?.block?.evidence
    const [first, second] = evidence as unknown as readonly Json[]
    expect(first).toMatchObject({ type: 'tendermint/LightClientAttackEvidence', height: 3, time: 1_700_000_000 })
    walk('Validator', first?.validator)
    expect(second?.validator).toBeNull()
  })

  test("behavior: a transaction in a block, and the application's answer to a query", async () => {
    const event = { type: 'app', attributes: [{ key: 'creator', value: 'Cosmoshi', index: true }] }
    const txResult = ExecTxResult.create({ events: [event] })
    await using running = await startRpc(
      {},
      {
        mempool: {
          ...(createDumpPorts('kvstore-single', { indexing: true }).mempool as NonNullable<Ports['mempool']>),
          checkTx: async () => ResponseCheckTx.create({ gasWanted: 1n }),
        },
        events: { ...createMemoryEvents(), awaitTx: async () => ({ height: 26_682, result: txResult }) },
      },
    )
    const { body } = await get(running.port, `/broadcast_tx_commit?tx="abc"&${PROFILE}`)
    expect(body.result).toEqual({
      check_tx: { gas_wanted: '1' },
      deliver_tx: { tags: [{ key: btoa('app.creator'), value: btoa('Cosmoshi') }] },
      hash: 'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD',
      height: 26_682,
    })
  })

  test('behavior: validators have numbers for their power', async () => {
    await using running = await startRpc()
    const { body } = await get(running.port, `/validators?height=5&${PROFILE}`)
    for (const validator of body.result?.validators ?? []) {
      const { proposer_priority: _priority, ...shown } = validator
      walk('Validator', shown)
    }
  })

  test('error: a failure is a text', async () => {
    await using running = await startRpc()
    const { response, body } = await get(running.port, `/block?height=100000&${PROFILE}`)
    expect(response.status).toBe(500)
    expect(response.headers.get('cache-control')).toBeNull()
    expect(Object.keys(body)).toEqual(['jsonrpc', 'id', 'error'])
    expect(body.error).toMatch(/^Internal error: height 100000 must be less than or equal/)
  })
})

describe('hashes in shapes that the document does not show', () => {
  const base64ToHex = (text: unknown): string => Buffer.from(String(text), 'base64').toString('hex').toUpperCase()
  const TX = '0x57D835FBBA0DBF922D8A2EDA56922C9B24E7760927F245A7684A736C4769DB8A'

  test('default: the application hash of each block, in small answers and in slices', async () => {
    const ports = createDumpPorts('kvstore-single', { indexing: true })
    const appHash = new Uint8Array(8).fill(200)
    const txResults = Array.from({ length: 2000 }, () =>
      ExecTxResult.create({ log: `"app_hash":"AAAA"}${'x'.repeat(50)}` }),
    )
    const large = ResponseFinalizeBlock.create({ txResults, appHash })
    const state = {
      ...ports.state,
      loadFinalizeBlockBytes: (height: number) => (height === 9 ? ResponseFinalizeBlock.encode(large) : undefined),
    }
    await using running = await startRpc({}, { state })
    for (const height of heightsOf(ports).filter((one) => one !== 9)) {
      const [plain, profiled] = await Promise.all([
        get(running.port, `/block_results?height=${height}`),
        get(running.port, `/block_results?height=${height}&${PROFILE}`),
      ])
      const wanted = base64ToHex(plain.body.result?.app_hash)
      expect(profiled.body.result).toEqual({ ...plain.body.result, app_hash: wanted })
    }
    const { result } = (await get(running.port, `/block_results?height=9&${PROFILE}`)).body
    expect(result?.app_hash).toBe('C8'.repeat(8))
    expect(result?.txs_results?.[1999]?.log).toContain('"app_hash":"AAAA"}')
  })

  test('default: the proof of a transaction', async () => {
    await using running = await startRpc()
    const { body: plain } = await get(running.port, `/tx?hash=${TX}&prove=true`)
    const { body } = await get(running.port, `/tx?hash=${TX}&prove=true&${PROFILE}`)
    const proof = plain.result?.proof?.proof
    expect(body.result?.proof?.proof).toEqual({
      ...proof,
      leaf_hash: base64ToHex(proof?.leaf_hash),
      aunts: (proof?.aunts ?? []).map(base64ToHex),
    })
    const without = async (path: string) => (await get(running.port, path)).body.result
    expect(await without(`/tx?hash=${TX}&${PROFILE}`)).toEqual(await without(`/tx?hash=${TX}`))
  })

  test('default: transactions that a search finds, the application, and evidence', () => {
    const written = (name: 'tx_search' | 'abci_info' | 'broadcast_evidence', value: unknown): Json =>
      JSON.parse(openapiProfile.resultText(ROUTES[name], value, {} as Ports)) as Json
    const hash = Uint8Array.of(171, 205)
    const proof = { total: 2n, index: 0n, leafHash: hash, aunts: [hash, hash] }
    const found = {
      hash,
      height: 5,
      index: 0,
      txResult: ExecTxResult.create(),
      tx: utf8ToBytes('a=b'),
      proof: { rootHash: hash, data: utf8ToBytes('a=b'), proof },
    }
    const [first, second] =
      written('tx_search', { txs: [found, { ...found, proof: undefined }], totalCount: 2 }).txs ?? []
    expect(first?.proof?.proof).toEqual({ total: '2', index: '0', leaf_hash: 'ABCD', aunts: ['ABCD', 'ABCD'] })
    expect(second).not.toHaveProperty('proof')
    const pieces = openapiProfile.resultPieces(ROUTES.tx_search, { txs: [found], totalCount: 1 }, {} as Ports) ?? []
    expect(JSON.parse([...pieces].join(''))).toEqual({ txs: [first], total_count: '1' })
    const response = ResponseInfo.create({ lastBlockHeight: 1, lastBlockAppHash: hash })
    expect(written('abci_info', { response }).response?.last_block_app_hash).toBe('ABCD')
    expect(written('abci_info', { response: ResponseInfo.create() })).toEqual({ response: {} })
    expect(written('broadcast_evidence', { hash }).hash).toBe('ABCD')
  })
})

describe('how a profile is chosen', () => {
  test('default: a request without a profile gets v0.38, also after one with openapi', async () => {
    await using running = await startRpc()
    await get(running.port, `/block?height=5&${PROFILE}`)
    const { body } = await get(running.port, '/block?height=5')
    expect(body.id).toBe(-1)
    expect(body.result?.block?.data).toHaveProperty('txs')
  })

  test('behavior: a profile over POST keeps the ids of the requests', async () => {
    await using running = await startRpc()
    const call = { jsonrpc: '2.0', id: 7, method: 'block', params: ['5'] }
    const body = await post(running.port, `/?${PROFILE}`, call)
    expect(body.id).toBe(7)
    walkBlock(body.result?.block as Json)
  })

  test('behavior: by Accept; caches keep a success at an explicit height for that header', async () => {
    await using running = await startRpc()
    const accept = 'text/html, application/json; q=0.9; profile="openapi"'
    const { response, body } = await get(running.port, '/block?height=5', accept)
    walkBlock(body.result?.block as Json)
    expect(headersForCaches(response)).toEqual(['public, max-age=86400', 'Accept'])
    for (const path of ['/block', '/block?height=0', '/block?height=100000', '/health'])
      expect(headersForCaches((await get(running.port, path, accept)).response), path).toEqual(['no-store', 'Accept'])
  })

  test.each([
    ['without a profile in Accept', '/block?height=5', '*/*', ['public, max-age=86400', 'Accept']],
    ['for the latest block', '/block', '*/*', [null, null]],
    ['with a profile in the query', `/block?height=5&${PROFILE}`, '*/*', ['public, max-age=86400', null]],
  ])('behavior: the headers for caches %s', async (_when, path, accept, wanted) => {
    await using running = await startRpc()
    expect(headersForCaches((await get(running.port, path, accept)).response)).toEqual(wanted)
    await using strict = await startRpc({ strict: true })
    expect(headersForCaches((await get(strict.port, path, accept)).response)[1]).toBeNull()
  })

  test('behavior: without Accept the headers are those of the reference', async () => {
    await using running = await startRpc()
    const request = 'GET /block?height=5 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
    const { text } = await sendRaw(running.port, request)
    expect(text).toContain('Cache-Control: public, max-age=86400')
    expect(text).not.toContain('Vary')
  })

  test.each(['Via: 1.1 cache', 'X-Forwarded-For: 192.0.2.1', 'Forwarded: for=192.0.2.1', 'CDN-Loop: cdn'])(
    'behavior: without Accept, what a proxy forwards (%s) varies by Accept',
    async (header) => {
      await using running = await startRpc()
      const head = `GET /block?height=5 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${header}\r\n\r\n`
      expect((await sendRaw(running.port, head)).text).toContain('Vary: Accept\r\n')
      await using strict = await startRpc({ strict: true })
      expect((await sendRaw(strict.port, head)).text).not.toContain('Vary')
    },
  )

  test('behavior: without Accept, a node whose default is another profile varies by Accept', async () => {
    await using running = await startRpc({ responseProfile: 'openapi' })
    const head = 'GET /block?height=5 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
    expect((await sendRaw(running.port, head)).text).toContain('Vary: Accept\r\n')
  })

  test('behavior: Vary has one line with all names', async () => {
    await using running = await startRpc({ corsAllowedOrigins: ['*'], compression: true })
    const { response } = await get(running.port, '/health', 'application/json;profile=openapi')
    expect(response.headers.get('vary')).toBe('Origin, Accept, Accept-Encoding')
    expect((await get(running.port, '/block?height=5', '*/*')).response.headers.get('vary')).toBe(
      'Origin, Accept, Accept-Encoding',
    )
  })

  test('behavior: the option sets the default, and a request can still choose v0.38', async () => {
    await using running = await startRpc({ responseProfile: 'openapi' })
    expect((await get(running.port, '/health')).body.id).toBe('')
    expect((await get(running.port, '/health?profile=v0.38')).body.id).toBe(-1)
  })

  test('behavior: a strict node has v0.38 only', async () => {
    await using running = await startRpc({ strict: true, responseProfile: 'openapi' })
    expect((await get(running.port, `/health?${PROFILE}`, 'application/json;profile=openapi')).body.id).toBe(-1)
  })

  test.each([
    ['/health?profile=x', undefined],
    ['/health', 'application/json; profile=x'],
    ['/websocket?profile=x', undefined],
  ])('error: an unknown profile is refused with the list of profiles: %s %s', async (path, accept) => {
    await using running = await startRpc()
    const headers = path.startsWith('/websocket')
      ? { connection: 'Upgrade', upgrade: 'websocket' }
      : { ...(accept === undefined ? {} : { accept }) }
    const handled = await running.rpc.handler({
      method: 'GET',
      target: path,
      http11: true,
      headers: new Map(
        Object.entries({ ...headers, 'sec-websocket-version': '13', 'sec-websocket-key': `${'A'.repeat(22)}==` }),
      ),
      host: 'x',
      body: new Uint8Array(0),
      remoteAddress: '@',
      signal: () => new AbortController().signal,
    })
    expect(handled).toMatchObject({ status: 406 })
    expect(JSON.stringify(handled)).toContain('v0.38, openapi')
  })

  test('behavior: failures and refusals in a profile by Accept are not cacheable', async () => {
    await using running = await startRpc()
    for (const [path, profile] of [
      ['/block?height=100000', 'openapi'],
      ['/health', 'x'],
    ] as const) {
      const { headers } = (await get(running.port, path, `application/json; profile=${profile}`)).response
      expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-store', 'Accept'])
    }
    const { headers } = (await get(running.port, '/health?profile=x')).response
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([null, null])
  })

  test('error: an unknown profile cannot be the default', () => {
    const ports = createDumpPorts('kvstore-single', { indexing: true })
    expect(() => createRpcServer({ ports, options: { responseProfile: 'x' } })).toThrow(
      'unknown response_profile "x": the profiles are v0.38, openapi',
    )
  })

  test('behavior: the profile applies over WebSocket, also to events', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({}, { events })
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}/websocket?${PROFILE}`)
    await once(socket, 'open')
    const ask = async (method: string, params: object): Promise<Json> => {
      const answer = once(socket, 'message')
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 3, method, params }))
      return JSON.parse(String((await answer)[0])) as Json
    }
    walkBlock((await ask('block', { height: '5' })).result?.block as Json)
    expect(await ask('nope', {})).toEqual({ jsonrpc: '2.0', id: 3, error: 'Method not found' })

    const query = "tm.event='NewBlock'"
    await ask('subscribe', { query })
    const ports = createDumpPorts('kvstore-single', { indexing: true })
    const message = once(socket, 'message')
    events.publish({
      data: {
        type: 'NewBlock',
        block: ports.blocks.loadBlock(5) as Block,
        blockId: ports.blocks.loadBlockMeta(5)?.blockId as never,
        resultFinalizeBlock: ports.state.loadFinalizeBlockResponse(5),
      },
      events: { 'tm.event': ['NewBlock'] },
    })
    const event = JSON.parse(String((await message)[0])) as Json
    expect(event.id).toBe(3)
    expect(Object.keys(event.result ?? {})).toEqual(['query', 'data'])
    expect(event.result?.query).toBe(query)
    expect(event.result?.data?.type).toBe('tendermint/event/NewBlock')
    const value = event.result?.data?.value as Json
    expect(Object.keys(value)).toEqual(['block', 'result_begin_block', 'result_end_block'])
    walkBlock(value.block as Json)
    expect(value.result_end_block).toHaveProperty('validator_updates')
    socket.terminate()
  })
})

test('behavior: a transaction is in its block as base64', async () => {
  const recorded = createDumpPorts('kvstore-single', { indexing: true })
  const changed = withBlock(recorded, (block) => ({ ...block, data: { txs: [utf8ToBytes('name=satoshi')] } }))
  await using running = await startRpc({}, changed)
  const { body } = await get(running.port, `/block?height=5&${PROFILE}`)
  expect(body.result?.block?.data).toEqual([btoa('name=satoshi')])
})
