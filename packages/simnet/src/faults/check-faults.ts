import { WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { Fault, FaultKind } from './fault.ts'

/** Throws a {@link WorldError} if a fault has an unknown kind, an invalid time, or an unknown node. */
export function checkFaults(
  plan: readonly Fault[],
  { kinds, nodes }: { kinds: readonly FaultKind[]; nodes: number },
): void {
  for (const fault of plan) {
    const wrong = faultOf(fault, { kinds, nodes })
    if (wrong === undefined) continue
    throw new WorldError(WORLD_ERRORS.badOption, `${wrong}: ${JSON.stringify(fault)}`, { data: { fault } })
  }
}

function faultOf(fault: Fault, { kinds, nodes }: { kinds: readonly FaultKind[]; nodes: number }): string | undefined {
  if (!kinds.includes(fault.kind)) return `a fault of an unknown kind (the kinds are ${kinds.join(', ')})`
  if (!(Number.isFinite(fault.at) && fault.at >= 0)) return 'a fault whose time is not 0 or more'
  for (const [name, value] of Object.entries(fault)) {
    if (!name.endsWith('Ms') || name === 'skewMs') continue
    // With an interval of 0, the fault would repeat without end at the same virtual time.
    const isTime = Number.isFinite(value) && value >= 0 && (name !== 'everyMs' || value > 0)
    if (!isTime) return `a fault whose ${name} is ${value}`
  }
  const of = 'group' in fault ? fault.group : 'nodes' in fault ? fault.nodes : [fault.node]
  const isThere = (node: number): boolean => Number.isInteger(node) && node >= 0 && node < nodes
  return of.every(isThere) ? undefined : `a fault of a node that does not exist: the network has ${nodes} nodes`
}
