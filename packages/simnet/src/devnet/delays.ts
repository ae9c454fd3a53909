import type { DevnetDelay } from '@org/rpc'
import type { Hub } from '../peers/index.ts'
import { type Direction, directions } from './directions.ts'
import type { Member, Members } from './members.ts'

/**
 * The sender and the receiver of the delayed messages. A missing sender means all senders, and a missing receiver
 * means all receivers.
 */
export interface DelayedDirection {
  /** The address of the sender. */
  readonly from?: string | undefined
  /** The address of the receiver. */
  readonly to?: string | undefined
}

/** The delays of messages between the validators of a devnet. */
export interface Delays {
  /**
   * Sets the delay, in milliseconds, of messages with this sender and receiver; 0 ends the delay. Returns false if the
   * sender and the receiver are the same validator, or if there is only one validator.
   */
  readonly set: (ms: number, direction: DelayedDirection) => boolean
  readonly list: () => readonly DevnetDelay[]
  /** Applies to a new validator the delays that were set for all senders or for all receivers. */
  readonly join: (member: Member) => void
  /** Ends the delays of this validator. */
  readonly leave: (member: Member) => void
  /** Ends all delays. */
  readonly end: () => void
}

/** A delay as it was set. A missing sender means all senders, and a missing receiver means all receivers. */
interface Setting {
  readonly from: Member | undefined
  readonly to: Member | undefined
  readonly ms: number
}

type Delay = DevnetDelay & { readonly direction: Direction }

const keyOf = ([from, to]: Direction): string => `${from.address} ${to.address}`

/** Returns true if the setting `later` applies to all messages of the setting `earlier`, and therefore replaces it. */
const replaces = (later: Setting, earlier: Setting): boolean =>
  (later.from ?? earlier.from) === earlier.from && (later.to ?? earlier.to) === earlier.to

export function createDelays(hub: Pick<Hub, 'delay'>, members: Pick<Members, 'all' | 'at'>): Delays {
  const delays = new Map<string, Delay>()
  /**
   * The settings for all senders, for all receivers, or for both. The oldest setting is first. These settings also
   * apply to a validator that joins later. A new setting replaces the older settings for the same messages. So the list
   * has at most:
   * - one setting for each validator as the sender, to all receivers;
   * - one setting for each validator as the receiver, from all senders;
   * - one setting for all senders and all receivers.
   */
  let settings: readonly Setting[] = []

  function apply(changed: readonly Direction[], ms: number): void {
    for (const direction of changed) {
      const [from, to] = direction
      hub.delay(from.node.name, to.node.name, ms)
      delays.delete(keyOf(direction))
      if (ms > 0) delays.set(keyOf(direction), { from: from.address, to: to.address, ms, direction })
    }
  }

  const list = (): readonly Delay[] => [...delays.values()]
  const delayedDirections = (): readonly Direction[] => list().map(({ direction }) => direction)

  return {
    set: (ms, { from, to }) => {
      const find = (address: string | undefined): Member | undefined =>
        address === undefined ? undefined : members.at(address)
      const setting: Setting = { from: find(from), to: find(to), ms }
      const ends = (member: Member | undefined): readonly Member[] => (member === undefined ? members.all() : [member])
      const changed = directions(ends(setting.from), ends(setting.to))
      if (changed.length === 0) return false
      apply(changed, ms)
      if (setting.from === undefined || setting.to === undefined)
        settings = [...settings.filter((earlier) => !replaces(setting, earlier)), setting]
      return true
    },
    list,
    join: (member) => {
      const others = members.all()
      for (const { from, to, ms } of settings) {
        const sent = from === undefined ? directions([member], to === undefined ? others : [to]) : []
        const received = to === undefined ? directions(from === undefined ? others : [from], [member]) : []
        apply([...sent, ...received], ms)
      }
    },
    leave: (member) =>
      apply(
        delayedDirections().filter((direction) => direction.includes(member)),
        0,
      ),
    end: () => {
      settings = []
      apply(delayedDirections(), 0)
    },
  }
}
