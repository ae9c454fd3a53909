import { join } from 'node:path'
import { freePort, unpackHome } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { FAST, makeHome, startNode } from './support/node.ts'
import { findCometbft, HALLEY, launch, type Running, run, temporaryFolder } from './support/process.ts'

const cometbft = findCometbft() ?? ''

/** Starts the reference on free ports. */
async function startReference(home: string, app: string): Promise<Running & { readonly url: string }> {
  const [rpc, p2p] = [await freePort(), await freePort()]
  const running = launch(cometbft, [
    'start',
    '--home',
    home,
    `--proxy_app=${app}`,
    `--rpc.laddr=tcp://127.0.0.1:${rpc}`,
    `--p2p.laddr=tcp://127.0.0.1:${p2p}`,
  ])
  await running.saw('Started node')
  return { ...running, url: `http://127.0.0.1:${rpc}` }
}

const ask = async <T>(url: string, path: string): Promise<T> => {
  const { result, error } = (await (await fetch(url + path)).json()) as { result: T; error?: unknown }
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return result
}

describe.skipIf(cometbft === '')('both nodes on one home (skipped without a cometbft on PATH)', () => {
  test('default: each node continues the chain where the other node stopped', async () => {
    const home = await makeHome(temporaryFolder())
    let last = 0
    const hashes: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      const app = turn % 2 === 0 ? 'persistent_kvstore-v0.38' : 'persistent_kvstore'
      const node =
        turn % 2 === 0 ? await startNode(home, `--proxy_app=${app}`, ...FAST) : await startReference(home, app)
      const sent = await ask<{ height: string; hash: string }>(node.url, `/broadcast_tx_commit?tx="k${turn}=v"`)
      expect(Number(sent.height)).toBeGreaterThan(last)
      last = Number(sent.height)
      hashes.push(sent.hash)
      for (const hash of hashes) {
        const look = () => ask(node.url, `/tx?hash=0x${hash}&prove=true`)
        if (turn % 2 === 0) expect(await look()).toMatchObject({ hash })
        // The reference answers broadcast_tx_commit before the transaction is in its index, so the test repeats the
        // request.
        else await expect.poll(() => look().catch(String), { timeout: 10_000 }).toMatchObject({ hash })
      }
      for (let key = 0; key <= turn; key++) {
        expect(await ask(node.url, `/abci_query?data="k${key}"`)).toMatchObject({ response: { log: 'exists' } })
      }
      await node.stop()
    }
  })

  test('behavior: the reference opens a recorded home after Halley, replays it and continues', async () => {
    const home = temporaryFolder()
    await unpackHome('kvstore-single/home.tar.gz', home)
    const ours = await startNode(home, '--proxy_app=kvstore-v0.38')
    const sent = await ours.ask<{ height: string }>('/broadcast_tx_commit?tx="ours=1"')
    await ours.stop()
    const theirs = await startReference(home, 'kvstore')
    const further = await ask<{ height: string }>(theirs.url, '/broadcast_tx_commit?tx="theirs=1"')
    expect(Number(further.height)).toBeGreaterThan(Number(sent.height))
    await theirs.stop()
  })

  test('behavior: each node refuses a home that the other node uses', async () => {
    const home = await makeHome(temporaryFolder())
    const ours = await startNode(home, '--proxy_app=kvstore', ...FAST)
    for (const command of [['start', '--proxy_app=kvstore'], ['rollback']]) {
      const refused = await run(cometbft, [...command, '--home', home])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('resource temporarily unavailable')
    }
    await ours.reach(2)
    await ours.stop()
    const theirs = await startReference(home, 'kvstore')
    for (const command of ['start', 'inspect', 'rollback', 'reindex-event', 'reset-state']) {
      const refused = await run(HALLEY, [command, '--home', home])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toMatch(/is in use by process \d+ \((cometbft|\w+)\).* \[HOME_LOCKED\]\n$/)
    }
    expect(await ask(theirs.url, '/health')).toEqual({})
    await theirs.stop()
  })

  test('behavior: rollback of both nodes leads to the same home', async () => {
    const home = await makeHome(temporaryFolder())
    const node = await startNode(home, '--proxy_app=kvstore', ...FAST)
    await node.ask('/broadcast_tx_commit?tx="a=1"')
    await node.stop()
    const copy = join(home, '..', 'copy')
    await run('cp', ['-r', home, copy])
    for (const options of [[], ['--hard'], ['--hard']]) {
      const [ours, theirs] = [
        await run(HALLEY, ['rollback', '--home', home, ...options]),
        await run(cometbft, ['rollback', '--home', copy, ...options]),
      ]
      expect(ours.stdout).toBe(theirs.stdout)
      expect(ours.code).toBe(theirs.code)
    }
  })
})
