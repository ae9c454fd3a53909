import { corrupt } from '../byzantine/index.ts'
import { applyFaults, endOf } from '../faults/index.ts'
import type { Violation } from '../invariants/index.ts'
import { createNetwork, type SimNetwork } from '../network/index.ts'
import { drive } from '../world/index.ts'
import type { Scenario } from './make-scenario.ts'

/**
 * The result of a run: counts of its events, and the rules that were violated. Two runs with the same seed have the
 * same `digest`. `happened` is the number of events of the virtual clock.
 */
export interface RunResult {
  readonly seed: number
  /** The hash of the trace. */
  readonly digest: string
  readonly heights: number
  readonly virtualMs: number
  readonly happened: number
  readonly restarts: number
  /**
   * The number of occurrences of each fault or action, by its name. The actions are the wrong actions of faulty
   * validators, and the actions that the monitor counts.
   */
  readonly counts: Readonly<Record<string, number>>
  readonly violations: readonly Violation[]
  /** The last lines of the trace. */
  readonly tail: readonly string[]
}

/** The options of {@link runScenario}. */
export interface RunOptions {
  /** Called with each line of the trace. */
  readonly onTrace?: ((line: string) => void) | undefined
  /** Called when the network is created, before it starts. */
  readonly onNetwork?: (network: SimNetwork) => void
  /**
   * Called when the network has made the heights that must follow the faults. The result is made when the returned
   * promise has resolved.
   */
  readonly onConcluded?: () => Promise<void>
}

/**
 * The minimum time, in milliseconds, between the end of the last fault and the start of the nodes that are still down.
 */
const CALM_MS = 500
/** The time limit, in virtual milliseconds, for the answers to the clients' requests at the end of the run. */
const ANSWER_MS = 60_000

/** Runs a scenario to its end: first the faults, then, without faults, the heights that must follow. */
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
    monitor.distrust(node.name, behaviours)
    hub.intercept(
      node.name,
      corrupt(node, behaviours, {
        chainId: network.genesis.chainId,
        random: network.random.fork('byzantine'),
        now: scheduler.now,
        onDeed: (behaviour) => count(`byzantine ${behaviour}`),
      }),
    )
  }
  options.onNetwork?.(network)
  network.start()
  const run = applyFaults(network, faults)
  await network.pass(Math.max(scenario.lastsMs ?? 1500, ...faults.map(endOf)) + CALM_MS)
  run.heal()

  await network.conclude({ except: byzantine.flatMap(({ node }) => nodes[node] ?? []) })
  const asked = options.onConcluded?.()
  if (asked !== undefined && !(await drive(scheduler, asked, ANSWER_MS)))
    monitor.violate(
      'clients',
      `the requests of the clients at the end of the run were not answered within ${ANSWER_MS / 1000} s`,
    )
  return {
    seed,
    digest: trace.digest(),
    heights: Math.max(0, monitor.record.height() - (scenario.network.initialHeight ?? 1) + 1),
    virtualMs: scheduler.now(),
    happened: scheduler.happened(),
    restarts: run.restarts(),
    counts: { ...counts, ...Object.fromEntries(network.flaws), ...monitor.counts() },
    violations: monitor.violations(),
    tail: trace.tail(),
  }
}
