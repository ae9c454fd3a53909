import { existsSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeChain } from '../made-chain.ts'
import { heightOf, waitForHeight } from '../rpc.ts'
import { findSubjects, makeHome, type NodeSetup, type RunningNode, type Subject, startNode } from '../subject.ts'
import { configure, FAST_LINKS, peerAddress } from './network-homes.ts'
import type { Workload } from './workload.ts'

/** The kvstore rules that both nodes share, so that one chain serves both. */
const APPLICATION: Readonly<Record<string, string>> = { halley: 'kvstore-v0.38', cometbft: 'kvstore' }

const start = (subject: Subject, setup: NodeSetup): Promise<RunningNode> =>
  startNode(subject, setup, APPLICATION[subject.name])

/** A chain of one validator with empty blocks. It is made once for all rounds, by whoever comes first. */
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

/** A home with a copy of the chain, that validates nothing: its chain stands still. */
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
  /** A home with the chain. */
  readonly chain: string
  /** Who serves it. Default: a node of the same kind. */
  readonly from?: Subject
  readonly config?: Readonly<Record<string, string>>
}

/** Blocks a second that a fresh node applies, from the first that it has to the last that it can get. */
export async function syncRate(
  subject: Subject,
  directory: string,
  { chain, from = subject, config = {} }: Sync,
): Promise<number> {
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
      let first: { readonly height: number; readonly at: number } | undefined
      for (;;) {
        const [height, at] = [await heightOf(follower.rpcPort), performance.now()]
        if (first === undefined && height > 0) first = { height, at }
        if (first !== undefined && height >= top) return ((height - first.height) * 1000) / (at - first.at)
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
  about: 'a fresh node block-syncs 2,000 small blocks from one of its own kind',
  run: async ({ subject, directory, smoke }) => {
    const chain = await smallChain(subject, directory, smoke ? 300 : 2000)
    const value = await syncRate(subject, directory, { chain })
    return [{ metric: 'block sync, 2,000 small blocks', value, unit: '/s' }]
  },
}

const LARGE = { validators: 150, blockBytes: 100_000 }

export const networkSyncLarge: Workload = {
  name: 'network-sync-large',
  about: 'a fresh node block-syncs blocks of 100 kB with 150 signatures, both kinds from a Halley',
  run: async ({ subject, directory, smoke }) => {
    const chain = join(dirname(directory), 'large-chain')
    if (!existsSync(chain)) await makeChain(chain, { ...LARGE, height: smoke ? 60 : 300 })
    const [from] = findSubjects()
    const value = await syncRate(subject, directory, { chain, config: FAST_LINKS, ...(from && { from }) })
    return [{ metric: 'block sync, 100 kB and 150 validators', value, unit: '/s' }]
  },
}
