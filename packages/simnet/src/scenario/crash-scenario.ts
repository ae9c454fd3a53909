import type { CrashKind } from '../disk/index.ts'
import type { NetworkOptions } from '../network/index.ts'
import type { Scenario } from './make-scenario.ts'
import { runScenario } from './run-scenario.ts'

/** One crash of the first node, at one of the things that it writes, asks its application or sends. */
export interface CrashPoint {
  readonly effect: number
  readonly when: 'before' | 'after'
  readonly crash: CrashKind
  /** Chooses what of the unsynced data is lost. */
  readonly loss: number
}

export interface CrashSweep {
  readonly heights: number
  /** 1 is a node that is alone: nobody can tell it what it forgot. */
  readonly validators: number
  readonly initialHeight?: number
}

const HEIGHT_MS = 230
const LOAD = 60

/** A run with load, changes of validators and vote extensions: the same up to the crash, whatever the crash is. */
function sweepScenario({ heights, validators, initialHeight = 1 }: CrashSweep, loss: number): Scenario {
  const lastsMs = heights * HEIGHT_MS
  const network: Partial<NetworkOptions> = {
    validators,
    fullNodes: 1,
    extensionsFrom: initialHeight + 2,
    initialHeight,
    txEveryMs: LOAD,
    walHeadSize: 60_000,
  }
  const change = (at: number, node: number, power: number) => ({ kind: 'validator' as const, at, node, power })
  return {
    seed: 1_000_000 + loss,
    network,
    lastsMs,
    faults: [change(lastsMs * 0.2, 1, 12), change(lastsMs * 0.5, validators, 3), change(lastsMs * 0.7, validators, 0)],
    byzantine: [],
  }
}

export function crashScenario(sweep: CrashSweep, { effect, when, crash, loss }: CrashPoint): Scenario {
  const base = sweepScenario(sweep, loss)
  const fault = { kind: 'crashAtEffect' as const, at: 0, node: 0, effects: effect, when, crash, downMs: 400 }
  return { ...base, faults: [fault, ...base.faults] }
}

/** Each thing that the first node does in the run without a crash, by number from 1. */
export async function recordEffects(sweep: CrashSweep): Promise<readonly string[]> {
  const effects: string[] = []
  const { lastsMs = 0 } = sweepScenario(sweep, 0)
  await runScenario(sweepScenario(sweep, 0), {
    onNetwork: (network) => {
      network.watchEffects((node, effect, when) => {
        if (node !== network.nodes[0] || when !== 'before' || network.scheduler.now() > lastsMs) return
        effects.push(`${effect.kind} ${effect.name}`)
      })
    },
  })
  return effects
}
