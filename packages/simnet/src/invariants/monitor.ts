import type { Engine } from '@org/engine/node'
import type { GenesisDoc } from '@org/types/genesis'
import type { SimNode } from '../node/index.ts'
import type { Parcel } from '../peers/index.ts'
import type { Trace } from '../world/index.ts'

/** Something that must not happen. */
export interface Violation {
  readonly rule: string
  readonly detail: string
  readonly atMs: number
}

/** Watches a network, and notes what must not happen. */
export interface Monitor {
  readonly violations: () => readonly Violation[]
  readonly violate: (rule: string, detail: string) => void
  readonly submitted: (tx: string) => void
  readonly sent: (from: string, parcel: Parcel) => void
  readonly rejected: (by: string, from: string, reason: string) => void
  readonly halted: (node: SimNode, error: Error) => void
  readonly started: (node: SimNode, engine: Engine) => void
  readonly appCommitted: (node: SimNode) => void
}

export interface MonitorModules {
  readonly genesis: GenesisDoc
  readonly now: () => number
  readonly trace: Trace
}

export function createMonitor({ now, trace }: MonitorModules): Monitor {
  const violations: Violation[] = []
  const violate = (rule: string, detail: string): void => {
    trace.note('VIOLATION', rule, detail)
    violations.push({ rule, detail, atMs: now() })
  }
  return {
    violations: () => violations,
    violate,
    submitted: () => undefined,
    sent: () => undefined,
    rejected: (by, from, reason) => violate('peers', `${by} rejected ${from}: ${reason}`),
    halted: (node, error) => violate('halt', `${node.name}: ${error.message}`),
    started: () => undefined,
    appCommitted: () => undefined,
  }
}
