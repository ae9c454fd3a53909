import type { MethodName } from '@org/abci'
import type { CrashKind } from '../disk/index.ts'

/** A fault at a virtual time. Nodes are numbered from 0; all times are in milliseconds. */
export type Fault = { readonly at: number } & (
  | { readonly kind: 'crash'; readonly node: number; readonly crash: CrashKind; readonly downMs: number }
  /** The node crashes at its `effects`-th effect (write, application call, or send) from `at` on. */
  | {
      readonly kind: 'crashAtEffect'
      readonly node: number
      readonly effects: number
      readonly when: 'before' | 'after'
      readonly crash: CrashKind
      readonly downMs: number
      /**
       * The index of the crash's outcome, which decides what unsynced data is lost. If it is missing, the outcome is
       * random.
       */
      readonly loss?: number
    }
  /** The node's signer, which is a separate process, has no connection to the node. */
  | { readonly kind: 'signerAway'; readonly node: number; readonly forMs: number }
  /** The node dies, and never comes back. */
  | { readonly kind: 'leave'; readonly node: number }
  | { readonly kind: 'freeze'; readonly node: number; readonly forMs: number }
  | { readonly kind: 'skew'; readonly node: number; readonly skewMs: number; readonly forMs: number }
  /**
   * The clock of the node runs too fast or too slowly. If several of these faults overlap, the clock is right again
   * when the first of them is over.
   */
  | { readonly kind: 'drift'; readonly node: number; readonly drift: number; readonly forMs: number }
  /**
   * The group and the other nodes do not receive each other's messages. With `oneWay`, the group still receives the
   * messages of the other nodes. If two partitions block the same messages, these messages are delivered when one of
   * the partitions ends, although the other partition has not ended.
   */
  | { readonly kind: 'partition'; readonly group: readonly number[]; readonly oneWay: boolean; readonly forMs: number }
  | { readonly kind: 'cut'; readonly nodes: readonly [number, number] }
  /**
   * Each segment from or to the node is lost with the probability `rate`, and is sent again. Later segments wait for a
   * lost one.
   */
  | { readonly kind: 'loss'; readonly node: number; readonly rate: number; readonly forMs: number }
  /** The node sends each message twice with the probability `rate`. */
  | { readonly kind: 'repeat'; readonly node: number; readonly rate: number; readonly forMs: number }
  /**
   * On each channel of the node's connections, at most `room` messages of the node may wait in the queue for sending.
   * When the queue of a channel is full, the node must wait before it can send more.
   */
  | { readonly kind: 'narrow'; readonly node: number; readonly room: number; readonly forMs: number }
  /**
   * The node closes each incoming connection before any message, like a node that already has its maximum number of
   * peers.
   */
  | { readonly kind: 'hangUp'; readonly node: number; readonly forMs: number }
  /** All connections of the node are closed repeatedly. */
  | { readonly kind: 'flap'; readonly node: number; readonly everyMs: number; readonly forMs: number }
  | { readonly kind: 'slowDisk'; readonly node: number; readonly slowness: number; readonly forMs: number }
  /**
   * The database `name` is slow, or the files whose paths begin with `name` are slow, as during a compaction of
   * LevelDB. The other databases and files are not slow.
   */
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
  /**
   * A client sends evidence that a validator signed two blocks at an old height. The old height is the snapshot height
   * of the node `joiner` minus the number `below`. With `early`, the client sends the evidence as soon as `joiner` has
   * begun to fetch older headers. Without `early`, the client waits until `joiner` has the header of the old height.
   */
  | {
      readonly kind: 'oldDoubleSign'
      readonly node: number
      readonly joiner: number
      readonly below: number
      readonly early?: boolean
    }
)

/** The kind of a fault, such as `crash`. */
export type FaultKind = Fault['kind']

/** The time at which a fault is over. */
export function endOf(fault: Fault): number {
  if ('forMs' in fault) return fault.at + fault.forMs
  if ('downMs' in fault) return fault.at + fault.downMs
  return fault.at
}
