import { signal } from '@preact/signals'
import type { WireKind } from '../../session/wire-kind.ts'

/** The node whose panel is open; `undefined` if no panel is open. */
export const chosenNode = signal<number | undefined>(undefined)
export function choose(node: number | undefined): void {
  chosenNode.value = node
}

/** The link under the pointer. A click cuts it, or mends it if it is cut. */
export const hoveredLink = signal<readonly [number, number] | undefined>(undefined)
/** The kinds of messages that the picture does not show. */
export const hidden = signal<ReadonlySet<WireKind>>(new Set(['other']))

export function toggleKind(kind: WireKind): void {
  const next = new Set(hidden.value)
  if (!next.delete(kind)) next.add(kind)
  hidden.value = next
}
