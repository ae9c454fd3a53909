import { corrupt } from '../byzantine/index.ts'
import { applyFaults, endOf } from '../faults/index.ts'
import { boundFaults, type Violation } from '../invariants/index.ts'
import { createNetwork, type SimNetwork } from '../network/index.ts'
import type { Scenario } from './make-scenario.ts'

export interface RunResult {
  readonly seed: number
  /** The hash of the trace. */
  readonly digest: string
  readonly heights: number
  readonly virtualMs: number
  readonly happened: number
  readonly restarts: number
  /** What went wrong, by kind, and what liars did. */
  readonly counts: Readonly<Record<string, number>>
  readonly violations: readonly Violation[]
  /** The last lines of the trace. */
  readonly tail: readonly string[]
}

export interface RunOptions {
  /** Told each line of the trace. */
  readonly onTrace?: ((line: string) => void) | undefined
  /** Called once the network is there, before it starts. */
  readonly onNetwork?: (network: SimNetwork) => void
}

/** So long after the last fault new heights must have come. */
const LIVENESS_MS = 60_000
const NEW_HEIGHTS = 3
/** After which time faults are over for good. */
const SETTLE_MS = 500
/** Between two looks at what nodes keep in memory. */
const LOOK_MS = 50
/** Happenings that may wait, a node: queues and timers are bounded. */
const MAX_PENDING_PER_NODE = 5000

/** Looks again and again at what the nodes keep, and tells each thing that is too large once. */
function watchSizes({ nodes, scheduler, monitor }: SimNetwork): void {
  const told = new Set<string>()
  const look = (): void => {
    for (const node of nodes) {
      for (const { what, detail } of boundFaults(node, nodes.length)) {
        if (told.has(`${node.name} ${what}`)) continue
        told.add(`${node.name} ${what}`)
        monitor.violate('bounds', `${node.name} keeps ${what}: ${detail}`)
      }
    }
    scheduler.after(LOOK_MS, look)
  }
  look()
}

/** Runs a scenario to its end: faults, healing, and the heights that must follow. */
export async function runScenario(scenario: Scenario, options: RunOptions = {}): Promise<RunResult> {
  const { seed, faults, byzantine } = scenario
  const network = createNetwork({ seed, ...scenario.network, onTrace: options.onTrace })
  const { monitor, nodes, scheduler, trace, hub } = network
  const counts: Record<string, number> = {}
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  for (const { kind } of faults) count(kind)
  for (const { node: index, behaviours } of byzantine) {
    const node = nodes[index]
    if (node === undefined) continue
    monitor.distrust(node.name)
    hub.intercept(
      node.name,
      corrupt(node, behaviours, {
        chainId: network.genesis.chainId,
        dice: network.dice.fork('byzantine'),
        onDeed: (behaviour) => count(`byzantine ${behaviour}`),
      }),
    )
  }
  options.onNetwork?.(network)
  network.start()
  watchSizes(network)
  const run = applyFaults(network, faults)
  await network.pass(Math.max(scenario.lastsMs ?? 1500, ...faults.map(endOf)) + SETTLE_MS)
  run.heal()

  const honest = nodes.filter(({ name }) => !byzantine.some(({ node }) => nodes[node]?.name === name))
  const from = Math.max(monitor.record.height(), (scenario.network.initialHeight ?? 1) - 1)
  const wanted = from + NEW_HEIGHTS
  const hasAll = (): boolean =>
    monitor.violations().length > 0 ||
    (monitor.record.height() >= wanted && honest.every((node) => network.heightOf(node) >= wanted))
  await scheduler.run(hasAll, scheduler.now() + LIVENESS_MS)
  if (!hasAll()) {
    const at = honest.map((node) => `${node.name} ${node.status()} at ${network.heightOf(node)}`).join(', ')
    monitor.violate(
      'liveness',
      `no ${NEW_HEIGHTS} heights after ${from} in ${LIVENESS_MS / 1000} s without faults: ${at}`,
    )
  }
  if (scheduler.pending() > MAX_PENDING_PER_NODE * nodes.length) {
    monitor.violate('bounds', `${scheduler.pending()} happenings wait`)
  }
  await monitor.conclude(nodes)
  return {
    seed,
    digest: trace.digest(),
    heights: Math.max(0, monitor.record.height() - (scenario.network.initialHeight ?? 1) + 1),
    virtualMs: scheduler.now(),
    happened: scheduler.happened(),
    restarts: run.restarts(),
    counts: { ...counts, ...Object.fromEntries(network.flaws) },
    violations: monitor.violations(),
    tail: trace.tail(),
  }
}
