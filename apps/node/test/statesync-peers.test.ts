import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Application } from '@org/abci'
import type { KvStore } from '@org/kvstore'
import { ApplySnapshotChunkResult, OfferSnapshotResult } from '@org/types/abci'
import { expect, test } from 'vitest'
import { storedValue } from './support/chain.ts'
import { HALLEY, run, temporaryFolder } from './support/process.ts'
import { createChunkGate, serveApp } from './support/served-app.ts'
import { LONG_VALUE, startSnapshotChain } from './support/snapshot-chain.ts'
import { configure, type NetworkNode, reached } from './support/testnet.ts'

const WITHIN = { timeout: 90_000, interval: 20 }
const TIMES = { 'statesync.discovery_time': '"5s"', 'statesync.chunk_request_timeout': '"5s"' }

/** Returns a node's answer to `/readyz`. Returns an empty text while the node does not answer. */
async function readiness({ rpcPort }: NetworkNode): Promise<string> {
  return fetch(`http://127.0.0.1:${rpcPort}/readyz`).then(
    (answer) => answer.text(),
    () => '',
  )
}

const inTheMiddle = (node: NetworkNode, peers: RegExp): Promise<unknown> =>
  expect
    .poll(() => readiness(node), WITHIN)
    .toMatch(new RegExp(`restoring the snapshot of height \\d+: 2 of \\d+ chunks, from ${peers.source}`))

/**
 * Returns methods that list each snapshot twice: in its own format, and in an unknown newer format, which a node tries
 * first.
 */
const withUnknownFormat = (app: KvStore): Application => ({
  listSnapshots: async (request) => {
    const { snapshots = [] } = await app.listSnapshots(request)
    return { snapshots: snapshots.flatMap((snapshot) => [snapshot, { ...snapshot, format: 99 }]) }
  },
})

test('behavior: when the peers of a snapshot stop while its chunks are fetched, the node joins with another snapshot', async () => {
  const gate = createChunkGate()
  let hiddenUntil = Number.POSITIVE_INFINITY
  const hiding = await Promise.all(
    [0, 1].map(() =>
      serveApp((app) => ({
        listSnapshots: async (request) => {
          const { snapshots = [] } = await app.listSnapshots(request)
          return { snapshots: snapshots.filter(({ height }) => height > hiddenUntil) }
        },
      })),
    ),
  )
  const applications = [...hiding, await serveApp(gate.hold(2)), await serveApp()]
  const { running, late, settings } = await startSnapshotChain(applications)
  const [first, second, source] = running as [NetworkNode, NetworkNode, NetworkNode]
  configure(late, { ...settings, ...TIMES })
  late.start()
  await inTheMiddle(late, /1 peer/)
  await source.stop('SIGKILL')
  hiddenUntil = await first.height()
  await expect.poll(() => late.log(), WITHIN).toMatch(/No peer offers the snapshot any more.*code=STATESYNC_NO_PEERS/)
  await reached((await first.height()) + 2, [first, second, late], 120_000)
  expect(late.log().match(/Snapshot restored/g)).toHaveLength(1)
  expect(await storedValue(late, 'long')).toBe(LONG_VALUE)
}, 300_000)

test('error: after state sync was aborted, was started twice or was killed, a later start of the home still joins', async () => {
  const gate = createChunkGate()
  const own: { change: Application } = { change: {} }
  const applications = [
    // Both peers also offer each snapshot in the unknown format 99, because the node may take the newest snapshot from
    // either peer.
    await serveApp((app) => ({ ...gate.hold(2)(app), ...withUnknownFormat(app) })),
    await serveApp((app) => ({ ...gate.hold(2)(app), ...withUnknownFormat(app) })),
    await serveApp((app) => ({
      offerSnapshot: (request) => (own.change.offerSnapshot ?? app.offerSnapshot)(request),
      applySnapshotChunk: (request) => (own.change.applySnapshotChunk ?? app.applySnapshotChunk)(request),
    })),
  ]
  const { nodes, running, late, settings } = await startSnapshotChain(applications)
  const [first] = running as [NetworkNode]
  const temporary = temporaryFolder()
  configure(late, {
    ...settings,
    ...TIMES,
    'statesync.temp_dir': `"${temporary}"`,
  })
  const endings: readonly (readonly [Application, RegExp])[] = [
    [{ offerSnapshot: () => ({ result: OfferSnapshotResult.abort }) }, /OfferSnapshot returned ABORT.*APP_ABORTED\]/],
    [
      { applySnapshotChunk: () => ({ result: ApplySnapshotChunkResult.abort }) },
      /ApplySnapshotChunk returned ABORT.*reset its data, and start the node again.*APP_ABORTED\]/,
    ],
  ]
  gate.open()
  for (const [change, line] of endings) {
    own.change = change
    const before = existsSync(join(late.home, 'log')) ? late.log().length : 0
    late.start()
    await late.ended()
    const lines = late.log().slice(before).split('\n')
    expect(lines.filter((text) => text.startsWith('ERROR: '))).toEqual([expect.stringMatching(line)])
    expect(readdirSync(temporary)).toEqual([])
  }
  own.change = {}
  gate.close()
  late.start()
  await inTheMiddle(late, /[12] peers?/)
  const other = await run(HALLEY, ['start', '--home', late.home, '--proxy_app', 'kvstore'])
  expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/^ERROR: .*\[[A-Z_]+\]\n$/)])
  expect(await readiness(late)).toMatch(/2 of \d+ chunks/)
  await late.stop('SIGKILL')
  const [left = ''] = readdirSync(temporary)
  expect(readdirSync(join(temporary, left)).length).toBeGreaterThan(0)
  gate.open()
  late.start()
  await reached((await first.height()) + 2, nodes, 120_000)
  expect(readdirSync(temporary)).toEqual([])
  expect(readFileSync(join(late.home, 'log'), 'utf8').match(/Snapshot restored/g)).toHaveLength(1)
  expect(await storedValue(late, 'long')).toBe(LONG_VALUE)
  expect(late.log()).toMatch(/Snapshot format rejected.*format=99.*code=STATESYNC_FORMAT_REJECTED advice="run the rel/)
}, 360_000)

test('error: a snapshot for which the application always requests a retry is given up with advice, and another one is restored', async () => {
  /**
   * The heights of two snapshots that the late node offered to its application. `first` is the height of the snapshot
   * that was offered first, and `offered` is the height of the snapshot that was offered last.
   */
  const seen = { offered: 0, first: 0 }
  const applications = [
    await serveApp(),
    await serveApp(),
    await serveApp((app) => ({
      offerSnapshot: (request) => {
        seen.offered = request.snapshot?.height ?? 0
        if (seen.first === 0) seen.first = seen.offered
        return app.offerSnapshot(request)
      },
      applySnapshotChunk: (request) =>
        seen.offered === seen.first ? { result: ApplySnapshotChunkResult.retry } : app.applySnapshotChunk(request),
    })),
  ]
  const { nodes, running, late, settings } = await startSnapshotChain(applications)
  const [first] = running as [NetworkNode]
  configure(late, { ...settings, ...TIMES })
  late.start()
  await expect.poll(() => late.log(), WITHIN).toMatch(/STATESYNC_TOO_MANY_RETRIES/)
  await reached((await first.height()) + 2, nodes, 120_000)
  const lines = late.log().split('\n')
  expect(lines.filter((line) => line.includes('STATESYNC_TOO_MANY_RETRIES'))).toEqual([
    expect.stringMatching(/too many retries, rejected snapshot.*advice="look at the log of the application/),
  ])
  expect(lines.filter((line) => line.includes('Snapshot restored'))).toHaveLength(1)
  expect(await storedValue(late, 'long')).toBe(LONG_VALUE)
}, 300_000)
