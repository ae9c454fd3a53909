import { noopLogger } from '@org/runtime'
import type { GenesisDoc } from '@org/types'
import { applyFaults, type FaultRun } from '../faults/index.ts'
import { createMonitor, createNoopMonitor } from '../invariants/index.ts'
import { createSharedSignatures, type SimNode } from '../node/index.ts'
import { createHub } from '../peers/index.ts'
import { createStateProviders } from '../servers/index.ts'
import { createRandomSource, createScheduler, createTrace, NOOP_TRACE } from '../world/index.ts'
import { checkNetwork } from './check.ts'
import { createClients } from './clients.ts'
import { concludeNetwork } from './conclude.ts'
import { createEffects } from './effects.ts'
import { makeGenesis } from './genesis.ts'
import { startJoiners } from './joiners.ts'
import { type PlacedNode, placeNodes } from './layout.ts'
import { createNodeMaker } from './node-maker.ts'
import { START } from './node-options.ts'
import { DEFAULT_NETWORK, type NetworkOptions } from './options.ts'
import { createResizing } from './resizing.ts'
import type { SimNetwork } from './sim-network.ts'
import { watchSizes } from './watch-sizes.ts'

/**
 * Creates a network of full nodes on one virtual clock. The same options give the same trace. Throws a `WorldError` for
 * impossible options. The function is long because it contains the list of all parts, and of the operations on the
 * network.
 */
export function createNetwork(given: Partial<NetworkOptions> & Pick<NetworkOptions, 'seed'>): SimNetwork {
  const options: NetworkOptions = { ...DEFAULT_NETWORK, ...given }
  checkNetwork(options)
  const scheduler = createScheduler(options.answerWithinMs)
  const trace = options.isWatched
    ? createTrace({ now: scheduler.now, keep: options.keepTrace, onLine: options.onTrace })
    : NOOP_TRACE
  const random = createRandomSource(options.seed)
  const signatures = createSharedSignatures()
  const chainId = options.genesis.chainId ?? `sim-${options.seed}`
  const placed = placeNodes(options, chainId)
  const byName = new Map<string, SimNode>()
  const flaws = new Map<string, number>()

  const made = makeGenesis({
    chainId,
    genesisTime: START - 1_000_000_000n,
    initialHeight: options.initialHeight,
    extensionsFrom: options.extensionsFrom,
    validators: placed
      .slice(0, options.validators)
      .map(({ name, key }, i) => ({ key, power: options.powers[i] ?? 10n, name })),
  })
  const genesis: GenesisDoc = { ...made, ...options.genesis }
  const monitor = options.isWatched
    ? createMonitor({
        ...{ genesis, now: scheduler.now, trace, nodes: () => nodes, signatures },
        requestsWithinMs: options.joiners?.requestsWithinMs,
      })
    : createNoopMonitor()

  const effects = createEffects((name) => byName.get(name))

  const hub = createHub(options.wire, {
    scheduler,
    random: random.fork('wire'),
    trace,
    onSend: (from, to, channelMessage) => {
      trace.note(from, '>', to, channelMessage.channel, channelMessage.bytes.length)
      effects.report(from, 'before', { kind: 'send', name: () => String(channelMessage.channel) })
      if (byName.get(from)?.life() !== undefined) monitor.sent(from, to, channelMessage)
    },
    onSent: (from, channelMessage) =>
      effects.report(from, 'after', { kind: 'send', name: () => String(channelMessage.channel) }),
    watchWire: options.watchWire,
    onLinkFault: (what) => void flaws.set(what, (flaws.get(what) ?? 0) + 1),
  })
  const providers =
    options.joiners &&
    createStateProviders(options.joiners, {
      ...{ chainId, initialHeight: options.initialHeight, record: monitor.record, signatures },
      ...{ nodes: () => nodes, random: random.fork('servers'), latencyMs: options.wire.latencyMs },
      logger: (name) => options.logger?.(name) ?? noopLogger,
    })

  const make = createNodeMaker(options, {
    scheduler,
    random,
    trace,
    hub,
    signatures,
    effects,
    monitor,
    providers,
    genesis,
  })
  function makeNode(place: PlacedNode): SimNode {
    const node = make(place)
    byName.set(node.name, node)
    return node
  }
  const nodes = placed.map(makeNode)
  const validators = nodes.slice(0, options.validators)

  const heightOf = (node: SimNode): number => node.engine()?.blockStore.height() ?? 0
  const running = (): SimNode[] => nodes.filter((node) => node.status() === 'running')

  const clients = createClients({ nodes, scheduler, random, trace, monitor })
  let run: FaultRun | undefined
  let hasStarted = false
  const network: SimNetwork = {
    genesis,
    nodes,
    validators,
    setValidators: createResizing({ nodes, validators, options, make: makeNode, chainId }),
    scheduler,
    hub,
    trace,
    random,
    monitor,
    flaws,
    start: () => {
      for (const node of nodes) if (node.status() === 'down' && !node.isJoiner) void node.start()
      if (hasStarted) return
      hasStarted = true
      if (options.joiners !== undefined) startJoiners(network, options.joiners)
      if (options.txEveryMs > 0) clients.load(options.txEveryMs)
      if (options.watchEveryMs > 0) watchSizes(network, options.watchEveryMs)
      if (options.faults.length > 0) run = applyFaults(network, options.faults)
    },
    heal: () => run?.heal(),
    heightOf,
    height: () => Math.max(...nodes.map(heightOf)),
    reach: async (height, withinMs) => {
      const isThere = (node: SimNode): boolean =>
        node.engine()?.consensus.roundState().chain.lastBlockHeight === height || heightOf(node) > height
      // Called before each event, so it must be fast: it returns at the first running node that has not reached the
      // height.
      const hasReached = (): boolean =>
        nodes.every((node) => node.status() !== 'running' || isThere(node)) && running().length > 0
      await scheduler.run(hasReached, scheduler.now() + withinMs)
      return hasReached()
    },
    pass: (ms) => scheduler.run(() => false, scheduler.now() + ms),
    conclude: (conclusion = {}) => {
      run?.heal()
      return concludeNetwork(network, { ...conclusion, exchange: options.exchange })
    },
    submit: clients.submit,
    watchEffects: effects.watch,
  }
  return network
}
