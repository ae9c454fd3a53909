import { isBackfilled, type Violation } from '../invariants/index.ts'
import type { SimNode } from '../node/index.ts'
import { drive } from '../world/index.ts'
import type { ExchangeOptions } from './options.ts'
import type { Conclusion, SimNetwork } from './sim-network.ts'

interface Ending extends Conclusion {
  /** The options for the exchange of addresses; `undefined` if nodes do not exchange addresses. */
  readonly exchange: ExchangeOptions | undefined
}

/**
 * The maximum number of pending events per node. A greater number shows that a queue, or the number of timers, has no
 * bound.
 */
const MAX_PENDING_PER_NODE = 5000

/**
 * Checks the rules that hold only at the end: all nodes reach new heights, the number of pending events is limited, and
 * a search finds every committed transaction.
 */
export async function concludeNetwork(
  { genesis, nodes, monitor, scheduler, heightOf }: Omit<SimNetwork, 'conclude'>,
  { heights = 3, withinMs = 60_000, except = [], exchange }: Ending,
): Promise<readonly Violation[]> {
  const honest = nodes.filter((node) => !except.includes(node) && node.status() !== 'gone')
  const from = Math.max(monitor.record.height(), genesis.initialHeight - 1)
  const wanted = from + heights
  const unfilled = (): readonly SimNode[] =>
    honest.filter((node) => {
      const engine = node.engine()
      return node.isJoiner && engine !== undefined && !isBackfilled(engine, genesis.initialHeight)
    })
  const hasBlocks = (): boolean =>
    monitor.violations().length > 0 ||
    (monitor.record.height() >= wanted &&
      honest.every((node) => heightOf(node) >= wanted) &&
      poorlyConnected(honest, exchange).length === 0)
  const hasAll = (): boolean => hasBlocks() && (monitor.violations().length > 0 || unfilled().length === 0)
  await scheduler.run(hasAll, scheduler.now() + withinMs)
  if (!hasBlocks()) {
    const at = honest.map((node) => `${node.name} (${node.status()}) is at ${heightOf(node)}`).join(', ')
    monitor.violate(
      'liveness',
      `the network did not commit ${heights} blocks after height ${from} in ${withinMs / 1000} s without faults: ${at}`,
    )
  }
  for (const { name } of monitor.violations().length > 0 ? [] : unfilled())
    monitor.violate('liveness', `${name} did not fetch the headers below its snapshot in ${withinMs / 1000} s`)
  const [unconnected] = monitor.violations().length > 0 ? [] : poorlyConnected(honest, exchange)
  if (unconnected !== undefined) monitor.violate('exchange', unconnected)
  for (const fault of bannedByHonest(honest)) monitor.violate('exchange', fault)
  if (scheduler.pending() > MAX_PENDING_PER_NODE * nodes.length) {
    monitor.violate('bounds', `the scheduler has ${scheduler.pending()} pending events`)
  }
  // A search waits until the last block is indexed, so virtual time must advance.
  if (!(await drive(scheduler, monitor.conclude(nodes), withinMs))) {
    monitor.violate('index', `the searches at the end of the run did not end within ${withinMs / 1000} s`)
  }
  return monitor.violations()
}

/**
 * Describes each node that is connected to too few other nodes. Returns an empty list if nodes do not exchange
 * addresses.
 */
function poorlyConnected(honest: readonly SimNode[], exchange: ExchangeOptions | undefined): readonly string[] {
  if (exchange === undefined) return []
  // Seed nodes close their connections. So the connections of seed nodes, and the connections to them, are not checked.
  const members = honest.filter(({ options }) => options.pex?.seedMode !== true)
  const names = new Set(members.map(({ name }) => name))
  const wanted = Math.min(members.length - 1, exchange.maxOutbound)
  return members.flatMap(({ name, p2p }) => {
    const found =
      p2p()
        ?.peers.peers()
        .filter(({ nodeInfo }) => names.has(nodeInfo.moniker)).length ?? 0
    return found < wanted ? [`${name} is connected to ${found} of the ${members.length - 1} other nodes`] : []
  })
}

/**
 * Describes each case in which an honest node has banned the address of another honest node. Checks only nodes that
 * exchange addresses.
 */
function bannedByHonest(honest: readonly SimNode[]): readonly string[] {
  const members = honest.filter(({ options }) => options.pex !== undefined)
  return members.flatMap(({ name, p2p }) =>
    members
      .filter(({ options }) => p2p()?.book.isBanned(options.address.id) === true)
      .map((other) => `${name} has banned the honest node ${other.name}`),
  )
}
