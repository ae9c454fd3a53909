import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blockIntervals, countTxs } from '../block-times.ts'
import type { Attack, Target } from '../hostile/attack.ts'
import { PEER_ATTACKS } from '../hostile/peer-attacks.ts'
import { RPC_ATTACKS } from '../hostile/rpc-attacks.ts'
import { residentMegabytes } from '../memory.ts'
import { call, heightOf, waitForHeight } from '../rpc.ts'
import type { NodeSetup, RunningNode } from '../subject.ts'
import { quantile } from '../table.ts'
import { makeTestnet, withNodes } from './network-homes.ts'
import type { Measurement, Workload } from './workload.ts'

const CLIENTS = 4
const CLIENT_PAUSE_MS = 50
/**
 * With the pause of 100 ms after each block, the node has free time while it is not attacked. So if the times between
 * blocks become longer during an attack, the attack is the cause.
 */
const CONFIG = {
  'consensus.timeout_commit': '"100ms"',
  'p2p.pex': 'true',
  'p2p.addr_book_strict': 'false',
  // The default value of this limit is too low for the batches of honest clients.
  'rpc.max_request_batch_size': '1000',
}

/** Runs honest clients that send requests until `signal` aborts. */
async function askAlong(port: number, signal: AbortSignal): Promise<void> {
  const one = async (): Promise<void> => {
    while (!signal.aborted) {
      await call(port, 'status').catch(() => undefined)
      await sleep(CLIENT_PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, one))
}

interface Window {
  /** The median of the times between blocks, in milliseconds. */
  readonly interval: number
  /**
   * The mean of the times between blocks, in milliseconds. Unlike the median, it grows even if only a few intervals are
   * long.
   */
  readonly mean: number
  /** The average number of transactions that were committed per second. */
  readonly txs: number
  /** The maximum memory of the attacked node, in megabytes. */
  readonly memory: number
}

/** Measures the attacked node for some seconds. The blocks are read from its peer, which is not attacked. */
async function watch(victim: RunningNode, peer: RunningNode, seconds: number): Promise<Window> {
  const from = await heightOf(peer.rpcPort)
  let memory = 0
  for (let left = seconds * 10; left > 0; left--) {
    await sleep(100)
    memory = Math.max(memory, await residentMegabytes(victim.pid))
  }
  const to = await heightOf(peer.rpcPort)
  const intervals = await blockIntervals(peer.rpcPort, from, to)
  if (intervals.length === 0) throw new Error('no block was made')
  const mean = intervals.reduce((sum, one) => sum + one, 0) / intervals.length
  const txs = (await countTxs(peer.rpcPort, from + 1, to)) / seconds
  return { interval: quantile(intervals, 0.5), mean, txs, memory }
}

async function targetOf(victim: RunningNode, { p2pPort }: NodeSetup): Promise<Target> {
  const { node_info: info } = await call<{ node_info: { id: string; network: string } }>(victim.rpcPort, 'status')
  return { chainId: info.network, p2p: { id: info.id, ip: '127.0.0.1', port: p2pPort }, rpcPort: victim.rpcPort }
}

function workloadOf(attack: Attack): Workload {
  const { name } = attack
  return {
    name: name.replaceAll(' ', '-'),
    about: `block interval and memory of two validators and ${CLIENTS} clients, without and with the attack: ${name}`,
    run: async ({ subject, directory, smoke }): Promise<readonly Measurement[]> => {
      const setups = await makeTestnet(subject, join(directory, 'homes'), { validators: 2, config: CONFIG })
      const seconds = smoke ? 2 : 10
      return withNodes(subject, setups, async ([victim, peer]) => {
        const [setup] = setups
        if (victim === undefined || peer === undefined || setup === undefined) throw new Error('two nodes are needed')
        await waitForHeight(peer.rpcPort, 5)
        const target = await targetOf(victim, setup)
        const clients = new AbortController()
        const asking = askAlong(victim.rpcPort, clients.signal)
        const without: Window[] = []
        const under: Window[] = []
        let sent = 0
        try {
          // The measurements without and with the attacker take turns, so that a slow change of the machine's speed
          // affects both.
          for (let round = 0; round < 2; round++) {
            const calm = new AbortController()
            const loading = attack.load?.(target, calm.signal)
            without.push(await watch(victim, peer, seconds).finally(() => calm.abort()))
            await loading
            if (loading !== undefined) await sleep(seconds * 500)
            const end = new AbortController()
            const attacking = attack.run(target, end.signal)
            under.push(await watch(victim, peer, seconds).finally(() => end.abort()))
            sent += await attacking
            // The node needs time to finish the work of the attack. The next measurement must not include this work.
            await sleep(seconds * 500)
          }
        } finally {
          clients.abort()
          await asking
        }
        const beside = attack.load === undefined ? 'without the attack' : 'with the same load of honest clients'
        const isLoad = attack.load !== undefined
        return rowsOf(name, beside, { without, under, isLoad, sent, seconds: 2 * seconds })
      })
    },
  }
}

interface Windows {
  readonly without: readonly Window[]
  readonly under: readonly Window[]
  /**
   * True if the attack has a load of honest clients ({@link Attack.load}). The load was sent during the measurements
   * without the attack (the member `without`).
   */
  readonly isLoad: boolean
  readonly sent: number
  readonly seconds: number
}

function rowsOf(name: string, beside: string, windows: Windows): readonly Measurement[] {
  const { without, under, isLoad, sent, seconds } = windows
  const average = (list: readonly Window[], of: (window: Window) => number): number =>
    list.reduce((sum, window) => sum + of(window), 0) / list.length
  const longer = (of: (window: Window) => number): number => (average(under, of) / average(without, of) - 1) * 100
  const maxMemory = (list: readonly Window[]): number => Math.max(...list.map(({ memory }) => memory))
  const interval = (window: Window): number => window.interval
  const txs = (window: Window): number => window.txs
  const txRows: readonly Measurement[] = [
    { metric: `${name}: transactions committed ${beside}`, value: average(without, txs), unit: '/s' },
    { metric: `${name}: transactions committed with the attack`, value: average(under, txs), unit: '/s' },
  ]
  return [
    { metric: `${name}: block interval ${beside}`, value: average(without, interval), unit: 'ms' },
    { metric: `${name}: block interval with the attack`, value: average(under, interval), unit: 'ms' },
    { metric: `${name}: interval longer by`, value: longer(interval), unit: '%' },
    { metric: `${name}: mean interval longer by`, value: longer(({ mean }) => mean), unit: '%' },
    ...(isLoad ? txRows : []),
    { metric: `${name}: most memory ${beside}`, value: maxMemory(without), unit: 'MB' },
    { metric: `${name}: most memory with the attack`, value: maxMemory(under), unit: 'MB' },
    { metric: `${name}: sent`, value: sent / seconds / 1e3, unit: 'kB/s' },
  ]
}

export const HOSTILE_WORKLOADS: readonly Workload[] = [...PEER_ATTACKS, ...RPC_ATTACKS].map(workloadOf)
