import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blockIntervals } from '../block-times.ts'
import { processorSeconds } from '../processor-time.ts'
import { heightOf, waitForHeight } from '../rpc.ts'
import type { RunningNode } from '../subject.ts'
import { median } from '../table.ts'
import { makeTestnet, withNodes } from './network-homes.ts'
import { committedColdAndWarm, MEMPOOL } from './transactions.ts'
import type { Workload } from './workload.ts'

const VALIDATORS = 4

/**
 * Measures the nodes for some seconds: the heights at the beginning and at the end, and the processor time of all
 * nodes together.
 */
async function stretch(nodes: readonly RunningNode[], seconds: number) {
  const port = (nodes[0] as RunningNode).rpcPort
  const used = async () => Promise.all(nodes.map(({ pid }) => processorSeconds(pid)))
  const [from, before] = [await heightOf(port), await used()]
  await sleep(seconds * 1000)
  const [to, after] = [await heightOf(port), await used()]
  const processor = after.reduce((sum, value, i) => sum + value - (before[i] ?? 0), 0)
  return { from, to, processor, intervals: await blockIntervals(port, from, to) }
}

export const networkEmpty: Workload = {
  name: 'network-empty',
  about: 'four validators on this machine, empty blocks, timeout_commit = 0: block interval, processor time',
  run: async ({ subject, directory, smoke }) => {
    const setups = await makeTestnet(subject, join(directory, 'net'), { validators: VALIDATORS, config: {} })
    return withNodes(subject, setups, async (nodes) => {
      await waitForHeight(setups[0]?.rpcPort as number, 5)
      const { from, to, processor, intervals } = await stretch(nodes, smoke ? 3 : 20)
      const perThousand = (processor * 1000) / (to - from) / VALIDATORS
      return [
        { metric: '4 validators, empty blocks: interval p50', value: median(intervals), unit: 'ms' },
        { metric: '4 validators: processor time per 1,000 heights and node', value: perThousand, unit: 's' },
      ]
    })
  },
}

export const networkPaced: Workload = {
  name: 'network-paced',
  about: 'four validators on this machine, empty blocks, default timeouts: block interval',
  run: async ({ subject, directory, smoke }) => {
    const config = { 'consensus.timeout_commit': '"1s"' }
    const setups = await makeTestnet(subject, join(directory, 'net'), { validators: VALIDATORS, config })
    return withNodes(subject, setups, async (nodes) => {
      await waitForHeight(setups[0]?.rpcPort as number, 2)
      const { intervals } = await stretch(nodes, smoke ? 5 : 25)
      return [{ metric: '4 validators, default timeouts: interval p50', value: median(intervals), unit: 'ms' }]
    })
  },
}

export const networkLoad: Workload = {
  name: 'network-load',
  about: 'four validators on this machine under load: committed transactions of 250 B per second, sent to all four',
  run: async ({ subject, directory, smoke }) => {
    const setups = await makeTestnet(subject, join(directory, 'net'), { validators: VALIDATORS, config: MEMPOOL })
    return withNodes(subject, setups, async (nodes) => {
      await waitForHeight(setups[0]?.rpcPort as number, 3)
      const metric = '4 validators: committed tx of 250 B'
      return committedColdAndWarm(nodes, metric, { count: 60_000, connections: 1, smoke })
    })
  },
}
