import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Application } from '@org/abci'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { type Chain, type ChainOptions, createChain } from '../src/index.ts'

function names(): Application {
  let total = 0
  return {
    checkTx: ({ tx }) => ({ code: tx.length <= 10 ? 0 : 1, log: 'at most 10 bytes' }),
    finalizeBlock: ({ txs }) => {
      total += txs.length
      return {
        txResults: txs.map((tx) => ({
          events: [{ type: 'app', attributes: [{ key: 'tx', value: bytesToUtf8(tx), index: true }] }],
        })),
      }
    },
    query: async () => {
      // The answer takes real time, in which the virtual clock stands still.
      await new Promise(setImmediate)
      return { value: utf8ToBytes(String(total)) }
    },
  }
}

function start(options: Partial<ChainOptions> = {}): Promise<Chain> {
  return createChain({ app: names, ...options })
}

describe('the RPC client of a chain', () => {
  test('default: a transaction is in a block when the call resolves, and every operation finds it', async () => {
    await using chain = await start()
    const { client, height } = chain
    const sent = await client.broadcastTxSync({ tx: 'a=1' })
    expect(sent.code).toBe(0)
    expect(height()).toBe(1)
    const committed = await client.broadcastTxCommit({ tx: 'b=2' })
    expect(Number(committed.height)).toBe(2)
    await client.broadcastTxAsync({ tx: 'c=3' })
    expect(height()).toBe(3)
    expect(Number((await client.tx({ hash: sent.hash })).height)).toBe(1)
    expect((await client.txSearch({ query: "app.tx='b=2'" })).txs.map(({ tx }) => bytesToUtf8(tx))).toEqual(['b=2'])
    const { response } = await client.abciQuery({ path: '/total' })
    expect(bytesToUtf8(response.value)).toBe('3')
    expect(Number((await client.status()).syncInfo.latestBlockHeight)).toBe(3)
    expect(height()).toBe(3)
  })

  test('default: a refused transaction makes no block, and a batch is answered together', async () => {
    await using chain = await start()
    const { client, height } = chain
    expect(await client.broadcastTxSync({ tx: 'longer than ten' })).toMatchObject({ code: 1, log: 'at most 10 bytes' })
    expect((await client.broadcastTxCommit({ tx: 'longer than ten' })).checkTx.code).toBe(1)
    expect(height()).toBe(0)
    const [status, health] = await client.batch((each) => [each.status(), each.health()])
    expect([status.nodeInfo.network, health]).toEqual(['test-chain', {}])
  })

  test('default: without automine broadcast_tx_commit waits for advance', async () => {
    await using one = await start({ automine: false })
    const committing = one.client.broadcastTxCommit({ tx: 'a=1' })
    await one.advance()
    expect(Number((await committing).height)).toBe(1)
    expect((await one.client.broadcastTxSync({ tx: 'b=2' })).code).toBe(0)
    expect(Number((await one.client.numUnconfirmedTxs()).total)).toBe(1)
    expect(one.height()).toBe(1)
  })

  test('default: the time-out of broadcast_tx_commit is virtual time', async () => {
    await using one = await start({ automine: false, blockTime: 60_000 })
    await one.advance()
    const committing = one.client.broadcastTxCommit({ tx: 'a=1' })
    const failed = expect(committing).rejects.toThrow('timed out waiting for tx')
    await one.advance()
    await failed
  })

  test('default: a subscription receives events, past ones too', async () => {
    await using one = await start()
    await one.broadcast('a=1')
    const seen: string[] = []
    let second: Promise<unknown> | undefined
    for await (const { events } of one.client.subscribe("tm.event='Tx'", { afterHeight: 0, chainId: 'test-chain' })) {
      seen.push(...(events['app.tx'] ?? []))
      if (seen.length === 1) second = one.broadcast('b=2')
      if (seen.length === 2) break
    }
    await second
    expect(seen).toEqual(['a=1', 'b=2'])
  })

  test('default: with several validators the client continues after revert', async () => {
    await using one = await start({ validators: 4 })
    const before = await one.snapshot()
    await one.client.broadcastTxSync({ tx: 'a=1' })
    const events = one.client.subscribe("tm.event='Tx'", { afterHeight: 0 })[Symbol.asyncIterator]()
    expect((await events.next()).done).toBe(false)
    const ended = expect(events.next()).rejects.toMatchObject({ code: 'RPC_CLIENT_CLOSED' })
    await one.revert(before)
    await ended
    expect(Number((await one.client.txSearch({ query: "app.tx='a=1'" })).totalCount)).toBe(0)
    expect(Number((await one.client.validators()).total)).toBe(4)
    expect((await one.client.broadcastTxCommit({ tx: 'a=1' })).txResult.code).toBe(0)
  })

  test('default: the example of the README', async () => {
    const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const [first = '', code = ''] = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, each]) => each)
    const begin = first
      .slice(0, first.indexOf('const { code,'))
      .replace('@org/simnet', import.meta.resolve('../src/index.ts'))
    const folder = mkdtempSync(join(tmpdir(), 'readme-'))
    try {
      const file = join(folder, 'example.ts')
      writeFileSync(file, `${begin}\n${code}\nawait chain.stop()\nexport { code, height, txs }\n`)
      const answer = (await import(file)) as { code: number; height: number | bigint; txs: readonly unknown[] }
      expect([answer.code, Number(answer.height), answer.txs.length]).toEqual([0, 1, 1])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('error: calls to a halted chain have the reason, and calls to a stopped chain are refused', async () => {
    await using one = await start({
      app: () => ({
        finalizeBlock: () => {
          throw new Error('broken rule')
        },
      }),
    })
    await expect(one.client.broadcastTxCommit({ tx: 'a=1' })).rejects.toMatchObject({ code: 'CHAIN_HALTED' })
    await one.stop()
    await expect(one.client.status()).rejects.toMatchObject({ code: 'CHAIN_STOPPED' })
  })
})
