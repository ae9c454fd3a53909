import type { CrashKind } from '../disk/index.ts'
import type { SimNode } from '../node/index.ts'
import type { EffectHook, FaultTarget } from './target.ts'

/** The interval, in milliseconds, at which all nodes that stopped by themselves are started again. */
const RESTART_MS = 1500

/** A planned crash at one of the next effects of a node. */
export interface PlannedCrash {
  readonly node: SimNode
  left: number
  readonly when: 'before' | 'after'
  readonly crash: CrashKind
  readonly downMs: number
  readonly loss: number | undefined
}

/** Crashes nodes, and starts them again. */
export interface Crashes {
  readonly crash: (node: SimNode, how: Pick<PlannedCrash, 'crash' | 'downMs' | 'loss'>) => void
  readonly planCrash: (plannedCrash: PlannedCrash) => void
  readonly clearPlannedCrashes: () => void
  /** Starts a node that is down. */
  readonly start: (node: SimNode) => void
  /**
   * From now on, makes the planned crashes happen, and restarts each node that stops by itself, as an operator would
   * do.
   */
  readonly watch: () => void
  readonly restarts: () => number
}

export function createCrashes({ nodes, scheduler, monitor, watchEffects }: FaultTarget): Crashes {
  const plannedCrashes = new Set<PlannedCrash>()
  let restarts = 0

  function crash(node: SimNode, how: Pick<PlannedCrash, 'crash' | 'downMs' | 'loss'>): void {
    if (node.status() === 'down') return
    node.crash(how.crash, how.loss)
    monitor.crashed(node)
    scheduler.after(how.downMs, () => start(node))
  }

  function start(node: SimNode): void {
    if (node.status() !== 'down') return
    restarts++
    void node.start()
  }

  const hook: EffectHook = (node, _effect, when) => {
    for (const plannedCrash of plannedCrashes) {
      if (plannedCrash.node !== node || plannedCrash.when !== when || --plannedCrash.left > 0) continue
      plannedCrashes.delete(plannedCrash)
      crash(node, plannedCrash)
      return
    }
  }

  function watch(): void {
    scheduler.after(RESTART_MS, () => {
      for (const node of nodes) {
        if (node.status() !== 'halted') continue
        node.crash('kill')
        monitor.crashed(node)
        start(node)
      }
      watch()
    })
  }

  return {
    crash,
    planCrash: (plannedCrash) => void plannedCrashes.add(plannedCrash),
    clearPlannedCrashes: () => plannedCrashes.clear(),
    start,
    watch: () => {
      watchEffects(hook)
      watch()
    },
    restarts: () => restarts,
  }
}
