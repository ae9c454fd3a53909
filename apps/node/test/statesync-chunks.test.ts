import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storedValue } from './support/chain.ts'
import { temporaryFolder } from './support/process.ts'
import { createChunkGate, serveApp } from './support/served-app.ts'
import { canMount, smallDisk } from './support/small-disk.ts'
import { LONG_VALUE, startSnapshotChain } from './support/snapshot-chain.ts'
import { configure, type NetworkNode, reached, slowDown } from './support/testnet.ts'

/** The node gives a snapshot up when the next chunk has not come for 120 s. */
const GIVES_UP = { timeout: 180_000, interval: 100 }

const linesOf = (node: NetworkNode, pattern: RegExp): readonly string[] =>
  node
    .log()
    .split('\n')
    .filter((line) => pattern.test(line))

/**
 * Checks that the node restored exactly one snapshot, that it has the value of the key `long`, and that the folder for
 * chunks is empty.
 */
async function hasJoined(late: NetworkNode, temporary: string): Promise<void> {
  expect(await storedValue(late, 'long')).toBe(LONG_VALUE)
  expect(linesOf(late, /Snapshot restored/)).toHaveLength(1)
  const { sync_info: sync } = await late.rpc<{ sync_info: { earliest_block_height: string } }>('status')
  expect(Number(sync.earliest_block_height)).toBeGreaterThan(1)
  expect(readdirSync(temporary)).toEqual([])
}

test('error: a snapshot whose chunks never come is given up with advice, and the node joins when chunks come', async () => {
  const gate = createChunkGate()
  const applications = [await serveApp(gate.hold(0)), await serveApp(gate.hold(0)), await serveApp()]
  const { nodes, running, late, settings } = await startSnapshotChain(applications)
  // The late node waits for chunks for two minutes, and then gives up. The chain is slowed down, so that the late node
  // later has fewer blocks to fetch.
  await slowDown(running)
  const temporary = temporaryFolder()
  configure(late, {
    ...settings,
    'statesync.chunk_request_timeout': '"5s"',
    'statesync.temp_dir': `"${temporary}"`,
  })
  late.start()
  await expect.poll(() => late.log(), GIVES_UP).toMatch(/STATESYNC_CHUNK_TIMEOUT/)
  expect(linesOf(late, /STATESYNC_CHUNK_TIMEOUT/)).toEqual([
    expect.stringMatching(
      /Timed out waiting for snapshot chunks.*advice="nothing needs to be done if other peers.*add/,
    ),
  ])
  // No chunk has arrived, so the folder for chunks has no files.
  expect(readdirSync(temporary).flatMap((name) => readdirSync(join(temporary, name)))).toEqual([])
  // After a kill in this state, the next start finds no data that it could use, so it begins state sync again.
  await late.stop('SIGKILL')
  expect(linesOf(late, /Snapshot restored/)).toEqual([])
  gate.open()
  late.start()
  await reached((await (running[0] as NetworkNode).height()) + 2, nodes, 120_000)
  await hasJoined(late, temporary)
}, 420_000)

test.skipIf(!canMount('tests of a full disk in temp_dir'))(
  'error: a full disk in temp_dir ends the start with one line, and leaves nothing that a later start trusts',
  async () => {
    const { nodes, running, late, settings } = await startSnapshotChain([
      await serveApp(),
      await serveApp(),
      await serveApp(),
    ])
    const disk = smallDisk('12k')
    configure(late, { ...settings, 'statesync.temp_dir': `"${disk.path}"` })
    late.start()
    await late.ended()
    expect(linesOf(late, /^ERROR: /)).toEqual([
      expect.stringMatching(/ENOSPC.*free disk space.*set statesync\.temp_dir to another.*\[STATESYNC_TEMP_DIR\]$/),
    ])
    expect(linesOf(late, /Snapshot restored/)).toEqual([])
    expect(readdirSync(disk.path)).toEqual([])
    disk.remount('size=10m')
    late.start()
    await reached((await (running[0] as NetworkNode).height()) + 2, nodes, 120_000)
    await hasJoined(late, disk.path)
  },
  240_000,
)
