import type { MethodName } from '@org/abci'
import type { CrashKind } from '../disk/index.ts'

/** Something that goes wrong at a virtual time. Nodes are numbered from 0; all times are milliseconds. */
export type Fault = { readonly at: number } & (
  | { readonly kind: 'crash'; readonly node: number; readonly crash: CrashKind; readonly downMs: number }
  /** At the `effects`-th thing that the node writes, asks its application or sends from `at` on. */
  | {
      readonly kind: 'crashAtEffect'
      readonly node: number
      readonly effects: number
      readonly when: 'before' | 'after'
      readonly crash: CrashKind
      readonly downMs: number
      /** The number of one of the ways to lose what was not forced to disk; chance takes one if it says nothing. */
      readonly loss?: number
    }
  /** Its signer, a process of its own, is not there. */
  | { readonly kind: 'signerAway'; readonly node: number; readonly forMs: number }
  /** It dies, and never comes back. */
  | { readonly kind: 'leave'; readonly node: number }
  | { readonly kind: 'freeze'; readonly node: number; readonly forMs: number }
  | { readonly kind: 'skew'; readonly node: number; readonly skewMs: number; readonly forMs: number }
  /** The clock is right again when the first of several that overlap is over. */
  | { readonly kind: 'drift'; readonly node: number; readonly drift: number; readonly forMs: number }
  /** Those in the group and the others do not hear each other; with `oneWay` only the others do not hear the group. The end of one that overlaps others lets through what it held up, also if they did too. */
  | { readonly kind: 'partition'; readonly group: readonly number[]; readonly oneWay: boolean; readonly forMs: number }
  | { readonly kind: 'cut'; readonly nodes: readonly [number, number] }
  /** Of the segments that the node sends and is sent, so many are lost and sent again: what comes behind waits. */
  | { readonly kind: 'loss'; readonly node: number; readonly rate: number; readonly forMs: number }
  /** The node says so much of what it says twice. */
  | { readonly kind: 'repeat'; readonly node: number; readonly rate: number; readonly forMs: number }
  /** On each channel of the node's connections only so many messages may wait: what sends more has to wait as well. */
  | { readonly kind: 'narrow'; readonly node: number; readonly room: number; readonly forMs: number }
  /** The node closes each connection that others dial before anything is said, as one does that has no room for more. */
  | { readonly kind: 'hangUp'; readonly node: number; readonly forMs: number }
  /** All connections of the node end again and again. */
  | { readonly kind: 'flap'; readonly node: number; readonly everyMs: number; readonly forMs: number }
  | { readonly kind: 'slowDisk'; readonly node: number; readonly slowness: number; readonly forMs: number }
  /** One database, or the paths that begin so, are slow, as when LevelDB compacts: the others are not. */
  | {
      readonly kind: 'slowPart'
      readonly node: number
      readonly name: string
      readonly slowness: number
      readonly forMs: number
    }
  | { readonly kind: 'failSync'; readonly node: number }
  | { readonly kind: 'fullDisk'; readonly node: number; readonly forMs: number }
  | { readonly kind: 'readOnlyDisk'; readonly node: number; readonly forMs: number }
  | { readonly kind: 'appCrash'; readonly node: number; readonly method: MethodName }
  | { readonly kind: 'appDelay'; readonly node: number; readonly delayMs: number; readonly forMs: number }
  | { readonly kind: 'validator'; readonly node: number; readonly power: number }
)

export type FaultKind = Fault['kind']

/** When it is over. */
export function endOf(fault: Fault): number {
  if ('forMs' in fault) return fault.at + fault.forMs
  if ('downMs' in fault) return fault.at + fault.downMs
  return fault.at
}
