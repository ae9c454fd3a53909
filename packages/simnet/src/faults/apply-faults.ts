import { checkFaults } from './check-faults.ts'
import { createCrashes } from './crashes.ts'
import type { Fault, FaultKind } from './fault.ts'
import { createFaultHandlers } from './fault-handlers.ts'
import type { FaultTarget } from './target.ts'
import { createTimedSettings } from './timed-settings.ts'

export interface FaultRun {
  /** Ends all faults, and starts the nodes that are down. */
  readonly heal: () => void
  /** The number of starts after a crash or a halt. */
  readonly restarts: () => number
}

/**
 * Applies the faults of a plan, and restarts nodes that crashed or stopped. Throws a `WorldError` if a fault is
 * impossible in this network.
 */
export function applyFaults(network: FaultTarget, plan: readonly Fault[]): FaultRun {
  const { nodes, scheduler, hub, trace } = network
  const crashes = createCrashes(network)
  const settings = createTimedSettings(scheduler)
  const handlers = createFaultHandlers(network, crashes, settings)

  checkFaults(plan, { kinds: Object.keys(handlers) as FaultKind[], nodes: nodes.length })

  function happen(fault: Fault): void {
    trace.note('fault', JSON.stringify(fault))
    handlers[fault.kind](fault as never)
  }

  for (const fault of plan) scheduler.after(fault.at, () => happen(fault))
  crashes.watch()
  return {
    heal: () => {
      crashes.clearPlannedCrashes()
      settings.endAll()
      hub.unblockAll()
      for (const node of nodes) {
        node.disk.faults.failSyncs = 0
        node.appFaults.failNext = undefined
        if (node.status() === 'halted') node.crash('kill')
        crashes.start(node)
      }
      trace.note('healed')
    },
    restarts: crashes.restarts,
  }
}
