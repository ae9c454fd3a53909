import { existsSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeChain } from '../made-chain.ts'
import { heightOf, waitForHeight } from '../rpc.ts'
import { findSubjects, makeHome, type NodeSetup, type RunningNode, type Subject, startNode } from '../subject.ts'
import { configure, FAST_LINKS, peerAddress } from './network-homes.ts'
import type { Workload } from './workload.ts'

/**
 * The name of the built-in application for each kind of node. The two applications have the same kvstore rules, so that
 * both kinds of node can sync the same chain.
 */
const APPLICATION: Readonly<Record<string, string>> = { halley: 'kvstore-v0.38', cometbft: 'kvstore' }

const start = (subject: Subject, setup: NodeSetup): Promise<RunningNode> =>
  startNode(subject, setup, APPLICATION[subject.name])

/**
 * Returns a home with a chain of one validator and empty blocks. The first round of the benchmark makes the chain, and
 * all later rounds use the same chain.
 */
async function smallChain(subject: Subject, directory: string, height: number): Promise<string> {
  const home = join(dirname(directory), 'small-chain')
  if (existsSync(home)) return home
  const setup = await makeHome(subject, `${home}-making`)
  const node = await start(subject, setup)
  await waitForHeight(node.rpcPort, height, 120_000)
  await node.stop()
  await cp(setup.home, home, { recursive: true })
  return home
}

/**
 * Makes a home with a copy of the chain. The home has no validator key of the chain, so its node makes no new blocks.
 */
async function source(subject: Subject, home: string, chain: string): Promise<NodeSetup> {
  const setup = await makeHome(subject, home)
  await cp(join(chain, 'config/genesis.json'), join(home, 'config/genesis.json'))
  for (const name of ['blockstore.db', 'state.db', 'tx_index.db', 'evidence.db']) {
    await rm(join(home, 'data', name), { recursive: true, force: true })
    if (existsSync(join(chain, 'data', name))) {
      await cp(join(chain, 'data', name), join(home, 'data', name), { recursive: true })
    }
  }
  return setup
}

export interface Sync {
  /** The home that has the chain to sync. */
  readonly chain: string
  /** The node program that serves the chain. Default: the node program that is measured. */
  readonly from?: Subject
  readonly config?: Readonly<Record<string, string>>
  /** The height at which the measurement of the rate {@link SyncRates.first} ends. Default: 300. */
  readonly early?: number
}

interface Look {
  readonly height: number
  readonly at: number
}

const rate = (from: Look, to: Look): number => ((to.height - from.height) * 1000) / (to.at - from.at)

export interface SyncRates {
  /** Blocks per second that a new node applies until it has the block before the newest block of its peer. */
  readonly all: number
  /** Blocks per second that a new node applies until it has the height {@link Sync.early}. */
  readonly first: number
}

async function syncRates(
  subject: Subject,
  directory: string,
  { chain, from = subject, config = {}, early = 300 }: Sync,
): Promise<SyncRates> {
  await mkdir(directory, { recursive: true })
  const serving = await source(from, join(directory, 'source'), chain)
  await configure(serving, config)
  const node = await start(from, serving)
  try {
    const top = (await heightOf(node.rpcPort)) - 1
    const peers = `"${await peerAddress(from, serving)}"`
    const fresh = await makeHome(subject, join(directory, 'fresh'), { ...config, 'p2p.persistent_peers': peers })
    await cp(join(chain, 'config/genesis.json'), join(fresh.home, 'config/genesis.json'))
    const follower = await start(subject, fresh)
    try {
      let begin: Look | undefined
      let first: number | undefined
      for (;;) {
        const look: Look = { height: await heightOf(follower.rpcPort), at: performance.now() }
        if (begin === undefined && look.height > 0) begin = look
        if (begin !== undefined) {
          if (look.height >= early) first ??= rate(begin, look)
          if (look.height >= top) return { all: rate(begin, look), first: first ?? rate(begin, look) }
        }
        await sleep(20)
      }
    } finally {
      await follower.stop()
    }
  } finally {
    await node.stop()
  }
}

export const networkSync: Workload = {
  name: 'network-sync',
  about: 'a new node block-syncs 2,000 small blocks from a node of the same implementation',
  run: async ({ subject, directory, smoke }) => {
    const chain = await smallChain(subject, directory, smoke ? 300 : 2000)
    const { all: value } = await syncRates(subject, directory, { chain })
    return [{ metric: 'block sync, 2,000 small blocks', value, unit: '/s' }]
  },
}

const LARGE = { validators: 150, blockBytes: 100_000 }

export const networkSyncLarge: Workload = {
  name: 'network-sync-large',
  about: 'a new node of each implementation block-syncs 2,000 blocks of 100 kB with 150 signatures from a Halley node',
  run: async ({ subject, directory, smoke }) => {
    const chain = join(dirname(directory), 'large-chain')
    if (!existsSync(chain)) await makeChain(chain, { ...LARGE, height: smoke ? 60 : 2000 })
    const [from] = findSubjects()
    const early = smoke ? 30 : 300
    const { first, all } = await syncRates(subject, directory, {
      chain,
      config: FAST_LINKS,
      early,
      ...(from && { from }),
    })
    const metric = 'block sync, 100 kB and 150 validators'
    // The row with `first` in its name covers only the first blocks, so it shows the speed of a new process with small
    // databases. The row without `first` covers all 2,000 blocks. Its rate can be compared with the rate of the
    // workload `network-sync`, which syncs 2,000 small blocks.
    return [
      { metric: `${metric}, first ${early}`, value: first, unit: '/s' },
      { metric, value: all, unit: '/s' },
    ]
  },
}
