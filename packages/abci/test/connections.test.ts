import { RequestCheckTx, RequestFinalizeBlock, RequestPrepareProposal, RequestQuery } from '@org/types/abci'
import { describe, expect, test } from 'vitest'
import { ABCI_ERRORS, type Application } from '../src/index.ts'
import { connected, type Kind, temporaryDirectory } from './helpers.ts'

const tx = (text: string): Uint8Array => new TextEncoder().encode(text)
const KINDS: readonly Kind[] = ['local', 'socket', 'grpc']

describe.each(KINDS)('default: an application over %s', (kind) => {
  test('methods that are missing give the answers of the reference’s base application', async () => {
    await using setup = await connected({}, kind)
    const { consensus, mempool, query, snapshot } = setup.connections
    expect(await query.echo('hello')).toBe('hello')
    await query.flush()
    expect((await query.query(RequestQuery.create({ data: tx('a') }))).code).toBe(0)
    expect((await mempool.checkTx(RequestCheckTx.create({ tx: tx('a') }))).code).toBe(0)
    const txs = [tx('aaa'), tx('bbb'), tx('c')]
    const prepared = await consensus.prepareProposal(RequestPrepareProposal.create({ txs, maxTxBytes: 6n }))
    expect(prepared.txs.map((t) => [...t])).toEqual(txs.slice(0, 2).map((t) => [...t]))
    const finalized = await consensus.finalizeBlock(RequestFinalizeBlock.create({ txs, height: 1 }))
    expect(finalized.txResults.map(({ code }) => code)).toEqual([0, 0, 0])
    expect((await consensus.commit()).retainHeight).toBe(0)
    expect((await snapshot.listSnapshots()).snapshots).toEqual([])
  })

  test('error: the error about an answer of a wrong type names the method once', async () => {
    const app = { checkTx: () => ({ gasWanted: 'much' }) } as unknown as Application
    await using setup = await connected(app, kind)
    const call = setup.connections.mempool.checkTx({ tx: tx('a'), type: 0 })
    await expect(call).rejects.toThrow(/^checkTx: gasWanted/)
  })

  test('behavior: many open checkTx calls are answered in order', async () => {
    const seen: number[] = []
    const app: Application = {
      checkTx: ({ tx: [first = 0, second = 0] }) => {
        seen.push(first * 256 + second)
        return { code: second, gasWanted: 1n }
      },
    }
    await using setup = await connected(app, kind)
    const order: number[] = []
    const calls = Array.from({ length: 300 }, (_, i) =>
      setup.connections.mempool.checkTx({ tx: Uint8Array.of(i >> 8, i & 255), type: 0 }).then(({ code }) => {
        order.push(i)
        return code
      }),
    )
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 300 }, (_, i) => i & 255))
    expect(order).toEqual(Array.from({ length: 300 }, (_, i) => i))
    expect(seen).toEqual(order)
  })

  test('behavior: a query does not wait for a block, but checkTx does', async () => {
    const entered = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const app: Application = {
      finalizeBlock: async () => {
        entered.resolve()
        await gate.promise
        return { appHash: Uint8Array.of(1) }
      },
      query: () => ({ log: 'answered' }),
    }
    await using setup = await connected(app, kind)
    const { consensus, query, mempool } = setup.connections
    const events: string[] = []
    const block = consensus.finalizeBlock(RequestFinalizeBlock.create()).then(() => void events.push('block'))
    await entered.promise
    const check = mempool.checkTx(RequestCheckTx.create()).then(() => void events.push('check'))
    expect((await query.query(RequestQuery.create())).log).toBe('answered')
    expect(events).toEqual([])
    gate.resolve()
    await Promise.all([block, check])
    expect(events).toContain('check')
  })

  test('error: the error about an exception names the method', async () => {
    const app: Application = {
      checkTx: () => {
        throw new Error('the shop is closed')
      },
    }
    await using setup = await connected(app, kind)
    const failures: string[] = []
    setup.connections.onError((error, name) => void failures.push(`${name} ${error.code}`))
    const call = setup.connections.mempool.checkTx(RequestCheckTx.create())
    await expect(call).rejects.toMatchObject({
      code: ABCI_ERRORS.exception,
      data: { method: 'checkTx' },
      message: 'checkTx: the shop is closed',
    })
    expect(failures).toEqual(kind === 'local' ? [] : ['mempool ABCI_EXCEPTION'])
    expect(await setup.connections.query.echo('still here')).toBe('still here')
  })
})

describe.each(['socket', 'grpc'] as const)('a server over %s', (kind) => {
  test('default: it listens on a unix socket', async () => {
    await using directory = await temporaryDirectory()
    await using setup = await connected({}, kind, { address: `unix://${directory.path}/app.sock` })
    expect(await setup.connections.query.echo('hi')).toBe('hi')
  })

  test('error: when the application ends, open calls reject with their names and listeners are called', async () => {
    const app: Application = { finalizeBlock: () => new Promise(() => undefined) }
    await using setup = await connected(app, kind)
    const reported = Promise.withResolvers<string>()
    setup.connections.onError((error, name) => {
      if (name === 'query') reported.resolve(error.code)
    })
    const block = setup.connections.consensus.finalizeBlock(RequestFinalizeBlock.create())
    const failed = expect(block).rejects.toMatchObject({
      code: ABCI_ERRORS.closed,
      data: { method: 'finalizeBlock' },
    })
    await setup.connections.query.echo('x')
    await setup.stopServer()
    await failed
    expect(await reported.promise).toBe(ABCI_ERRORS.closed)
    await expect(setup.connections.consensus.commit()).rejects.toMatchObject({ code: ABCI_ERRORS.closed })
  })

  test('error: an application that does not answer ends the connection after the time limit', async () => {
    const app: Application = { commit: () => new Promise(() => undefined) }
    await using setup = await connected(app, kind, { timeoutMs: 50 })
    await expect(setup.connections.consensus.commit()).rejects.toMatchObject({
      code: ABCI_ERRORS.timeout,
      data: { method: 'commit' },
    })
    await expect(setup.connections.consensus.echo('x')).rejects.toMatchObject({ code: ABCI_ERRORS.closed })
  })

  test('error: a response above the size limit ends the connection', async () => {
    const app: Application = { query: () => ({ value: new Uint8Array(2000) }) }
    await using setup = await connected(app, kind, { maxFrameBytes: 1000 })
    await expect(setup.connections.query.query(RequestQuery.create())).rejects.toMatchObject({
      code: ABCI_ERRORS.frameTooLarge,
      data: { method: 'query' },
    })
  })
})
