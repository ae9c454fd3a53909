import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@org/golden'
import { cachedChain } from '../chain-cache.ts'
import { peakMegabytes, residentMegabytes } from '../memory.ts'
import { processorSeconds } from '../processor-time.ts'
import { heightOf } from '../rpc.ts'
import { configureJoiner, type Serving, serveChain, startApplication } from '../statesync/serve-chain.ts'
import { makeSnapshotChain } from '../statesync/snapshot-chain.ts'
import { findSubjects, makeHome, type RunningNode, type Subject, spawnNode, startNode } from '../subject.ts'
import type { Measurement, Workload } from './workload.ts'

const VALIDATORS = 4
const MEBIBYTE = 1024 * 1024
const SIZES = { heights: 20_000, stateMegabytes: 1024 }
const SMOKE_SIZES = { heights: 600, stateMegabytes: 8 }
const TIMEOUT_MS = 900_000
const IDLE_MS = 3000
const DELAY_MS = 100

type Sizes = typeof SIZES

/** The source files that determine the bytes of the chain. If one of them changes, the chain is made again. */
const SOURCES = [
  '../statesync/snapshot-chain.ts',
  '../made-chain.ts',
  '../../../../apps/kvstore/src/snapshots/format.ts',
].map((path) => new URL(path, import.meta.url))

const chainOf = ({ heights, stateMegabytes }: Sizes): Promise<string> =>
  cachedChain({
    name: 'snapshot-chain',
    parameters: { heights, stateMegabytes, validators: VALIDATORS },
    sources: SOURCES,
    make: (home) => makeSnapshotChain(home, { heights, stateBytes: stateMegabytes * MEBIBYTE, validators: VALIDATORS }),
  })

/**
 * Returns the memory of a node that has the same genesis and no peers, in MB. The result is subtracted from the
 * memory of the joining node.
 */
async function idleMegabytes(subject: Subject, home: string, chain: string): Promise<number> {
  const setup = await makeHome(subject, home)
  await cp(join(chain, 'config/genesis.json'), join(home, 'config/genesis.json'))
  const address = `unix://${home}.sock`
  const app = await startApplication(`${home}-application`, address)
  const node = await startNode(subject, setup, address)
  await sleep(IDLE_MS)
  const idle = await residentMegabytes(node.pid)
  await node.stop()
  await app.stop()
  return idle
}

/** Returns the total size of all messages that the node received from peers, in MB. */
async function receivedMegabytes(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  let bytes = 0
  for (const line of text.split('\n')) {
    if (line.startsWith('cometbft_p2p_message_receive_bytes_total')) bytes += Number(line.split(' ').at(-1))
  }
  return bytes / 1e6
}

interface Join {
  readonly serving: Serving
  readonly chain: string
  readonly heights: number
}

interface Joined {
  /**
   * The milliseconds from the start of the node's process to three events. The node has accepted a snapshot
   * (`acceptedMs`), has restored the snapshot (`restoredMs`), and has reached the highest block that it can sync
   * (`headMs`). This block is the last but one of the chain.
   */
  readonly acceptedMs: number
  readonly restoredMs: number
  readonly headMs: number
  readonly peakMegabytes: number
  readonly appPeakMegabytes: number
  readonly receivedMegabytes: number
  /** The processor time of all threads of the node, in user mode and in the kernel. */
  readonly processorSeconds: number
}

/** Returns true if the node has reached the height; false if its height is lower or its RPC does not answer yet. */
const hasHeight = ({ rpcPort }: RunningNode, height: number): Promise<boolean> =>
  heightOf(rpcPort).then(
    (reached) => reached >= height,
    () => false,
  )

/**
 * Starts a node that joins by state sync, and measures it until it has the block before the newest one. The newest
 * block cannot be synced, because its commit would be in the next block.
 */
async function joinChain(subject: Subject, home: string, { serving, chain, heights }: Join): Promise<Joined> {
  const setup = await makeHome(subject, home)
  await cp(join(chain, 'config/genesis.json'), join(home, 'config/genesis.json'))
  const metricsPort = await freePort()
  await configureJoiner(setup, serving, metricsPort)
  const address = `unix://${home}.sock`
  const app = await startApplication(`${home}-application`, address)
  const start = performance.now()
  const node = spawnNode(subject, setup, address)
  try {
    const times: { acceptedMs?: number; restoredMs?: number } = {}
    for (;;) {
      const now = performance.now() - start
      const log = times.restoredMs === undefined ? await readFile(`${home}.log`, 'utf8') : ''
      if (log.includes('Snapshot accepted')) times.acceptedMs ??= now
      if (log.includes('Snapshot restored')) times.restoredMs ??= now
      const { acceptedMs, restoredMs } = times
      if (acceptedMs !== undefined && restoredMs !== undefined && (await hasHeight(node, heights - 1))) {
        return {
          ...{ acceptedMs, restoredMs },
          headMs: now,
          peakMegabytes: await peakMegabytes(node.pid),
          appPeakMegabytes: await peakMegabytes(app.child.pid as number),
          receivedMegabytes: await receivedMegabytes(metricsPort),
          processorSeconds: await processorSeconds(node.pid),
        }
      }
      if (now > TIMEOUT_MS || node.process.process.exitCode !== null) throw new Error(`the node did not join: ${home}`)
      await sleep(50)
    }
  } finally {
    await node.stop()
    await app.stop()
  }
}

function statesync(name: string, about: string, delayMs: number): Workload {
  return {
    name,
    about,
    run: async (context) => {
      const { subject, directory, smoke } = context
      const sizes = { ...(smoke ? SMOKE_SIZES : SIZES), ...context.sizes }
      const chain = await chainOf(sizes)
      const [halley] = findSubjects() as [Subject]
      const idle = await idleMegabytes(subject, join(directory, 'idle'), chain)
      const serving = await serveChain(halley, directory, { chain, delayMs })
      try {
        const joined = await joinChain(subject, join(directory, 'joining'), { serving, chain, heights: sizes.heights })
        const size = `${sizes.heights.toLocaleString('en')} heights, ${sizes.stateMegabytes.toLocaleString('en')} MiB`
        const prefix = `join, ${size}${delayMs === 0 ? '' : `, ${delayMs} ms`}`
        const { acceptedMs, restoredMs, headMs } = joined
        return [
          { metric: `${prefix}: at the head`, value: headMs / 1000, unit: 's' },
          { metric: `${prefix}: snapshot accepted`, value: acceptedMs / 1000, unit: 's' },
          { metric: `${prefix}: restore after the acceptance`, value: (restoredMs - acceptedMs) / 1000, unit: 's' },
          { metric: `${prefix}: block sync after the restore`, value: (headMs - restoredMs) / 1000, unit: 's' },
          { metric: `${prefix}: processor time`, value: joined.processorSeconds, unit: 's' },
          { metric: `${prefix}: peak memory above idle`, value: joined.peakMegabytes - idle, unit: 'MB' },
          { metric: `${prefix}: idle memory`, value: idle, unit: 'MB' },
          { metric: `${prefix}: peak memory of the application`, value: joined.appPeakMegabytes, unit: 'MB' },
          { metric: `${prefix}: received from peers`, value: joined.receivedMegabytes, unit: 'MB' },
        ] satisfies Measurement[]
      } finally {
        await serving.stop()
      }
    },
  }
}

export const STATESYNC_WORKLOADS: readonly Workload[] = [
  statesync(
    'statesync',
    'a node joins by state sync from two Halley peers; nodes of both implementations use the kvstore over a socket',
    0,
  ),
  statesync(
    'statesync-latency',
    'the workload statesync, with a delay of 100 ms in each direction of each connection',
    DELAY_MS,
  ),
]
