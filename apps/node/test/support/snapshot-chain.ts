import { block, sendTx } from './chain.ts'
import { createTestnet, joinFrom, type NetworkNode, reached } from './testnet.ts'

/** A value that needs several chunks, because the chunks in tests are small. */
export const LONG_VALUE: string = 'x'.repeat(3000)

export interface SnapshotChain {
  readonly nodes: readonly NetworkNode[]
  /** The nodes that run. The first two are the validators. */
  readonly running: readonly NetworkNode[]
  /** The last node, which is not started. */
  readonly late: NetworkNode
  /** The settings with which the node `late` joins by state sync. */
  readonly settings: ReturnType<typeof joinFrom>
}

/**
 * Creates a node for each application, and starts all nodes except the last one. The first two nodes are the
 * validators. Sends a transaction that gives the key `long` the value {@link LONG_VALUE}, so that a snapshot has
 * several chunks. Waits until the applications of the started nodes have taken snapshots.
 */
export async function startSnapshotChain(applications: readonly string[]): Promise<SnapshotChain> {
  const nodes = await createTestnet({
    kinds: applications.map(() => 'halley' as const),
    validators: 2,
    config: { 'consensus.timeout_commit': '"5ms"' },
    application: (index) => applications[index] ?? '',
  })
  const [running, late] = [nodes.slice(0, -1), nodes.at(-1) as NetworkNode]
  const [first, second] = running as [NetworkNode, NetworkNode]
  for (const node of running) node.start()
  await reached(2, running)
  await sendTx(first, `long=${LONG_VALUE}`)
  await reached(60, running, 90_000)
  return { nodes, running, late, settings: joinFrom([first, second], (await block(first, 10)).block_id.hash) }
}
