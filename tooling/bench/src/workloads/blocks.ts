import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes } from '../memory.ts'
import { heightOf, waitForHeight } from '../rpc.ts'
import { makeHome, startNode } from '../subject.ts'
import type { Measurement, Workload } from './workload.ts'

/** Makes empty blocks as fast as possible, measures the memory, and restarts the node, which replays all blocks. */
export const blocks: Workload = {
  name: 'blocks',
  about:
    'empty blocks, one validator, timeout_commit = 0, kvstore in the same process; memory; restart that replays all blocks',
  run: async ({ subject, directory, smoke }) => {
    const setup = await makeHome(subject, join(directory, 'home'))
    let node = await startNode(subject, setup)
    const idle = await residentMegabytes(node.pid)
    await waitForHeight(node.rpcPort, 20)
    const [from, start] = [await heightOf(node.rpcPort), performance.now()]
    await sleep(smoke ? 1000 : 8000)
    const [to, end] = [await heightOf(node.rpcPort), performance.now()]
    const after = await residentMegabytes(node.pid)
    await node.stop()
    const began = performance.now()
    node = await startNode(subject, setup)
    await waitForHeight(node.rpcPort, to)
    const replay = performance.now() - began
    await node.stop()
    return [
      { metric: 'empty blocks', value: ((to - from) * 1000) / (end - start), unit: '/s' },
      { metric: 'restart, ms per 1,000 blocks replayed', value: (replay * 1000) / to, unit: 'ms' },
      { metric: 'memory, first answer', value: idle, unit: 'MB' },
      { metric: 'memory, after the blocks', value: after, unit: 'MB' },
    ]
  },
}

/** The heights at which the memory is measured. From the first of these heights on, the memory should not grow. */
const LOOKS = [10_000, 20_000, 30_000]

export const memory: Workload = {
  name: 'memory',
  about: 'memory of the process after 10,000, 20,000 and 30,000 empty blocks; takes minutes',
  run: async ({ subject, directory, smoke }) => {
    const node = await startNode(subject, await makeHome(subject, join(directory, 'home')))
    try {
      const seen: Measurement[] = []
      for (const height of LOOKS) {
        await waitForHeight(node.rpcPort, smoke ? height / 100 : height, 600_000)
        const value = await residentMegabytes(node.pid)
        seen.push({ metric: `memory at ${height.toLocaleString('en')} blocks`, value, unit: 'MB' })
      }
      return seen
    } finally {
      await node.stop()
    }
  },
}

/** Measures the time from the start of the process to the first answer, and to the first block of a new chain. */
export const startup: Workload = {
  name: 'startup',
  about: 'time from the start of the process to the first RPC answer, and to the first block, in a new home',
  run: async ({ subject, directory }) => {
    const setup = await makeHome(subject, join(directory, 'home'))
    const start = performance.now()
    const node = await startNode(subject, setup)
    const answers = performance.now() - start
    await waitForHeight(node.rpcPort, 1)
    const block = performance.now() - start
    await node.stop()
    return [
      { metric: 'start → RPC answers', value: answers, unit: 'ms' },
      { metric: 'start → first block', value: block, unit: 'ms' },
    ]
  },
}
