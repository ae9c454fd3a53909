import type { DevnetDelay } from '@org/rpc'
import type { OpenedChain } from '../chain/create-chain.ts'
import type { SimNode } from '../node/index.ts'
import { createDelays, type DelayedDirection } from './delays.ts'
import { type Direction, directions, isSameDirection } from './directions.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'
import type { Members } from './members.ts'

/** Ends, starts, connects and disconnects validators. */
export interface Faults {
  readonly crash: (address: string) => void
  readonly restart: (address: string) => Promise<void>
  readonly partition: (addresses: readonly string[]) => void
  readonly heal: () => void
  /**
   * To be called before a new validator starts. While there is a partition, the new validator is on the side of the
   * first validator. Delays that were set for all senders or all receivers also delay the messages of the new
   * validator.
   */
  readonly join: (node: SimNode) => void
  /** Ends the partition and the delays of a new validator. To be called when the validator could not start. */
  readonly leave: (node: SimNode) => void
  /** Sets the delay of messages. Returns all delays. */
  readonly delay: (ms: number, direction?: DelayedDirection) => readonly DevnetDelay[]
  readonly delays: () => readonly DevnetDelay[]
  /** Returns the longest of the present delays, in milliseconds; 0 without delays. */
  readonly longestDelay: () => number
  /** Ends all partitions and delays. */
  readonly end: () => void
}

const refused = (message: string): DevnetError => new DevnetError(DEVNET_ERRORS.validatorState, message)

export function createFaults({ network, progress }: OpenedChain, members: Members): Faults {
  const { hub, nodes } = network
  let cuts: readonly Direction[] = []
  const delays = createDelays(hub, members)

  function checkSeveral(): void {
    if (members.all().length > 1) return
    throw refused('this devnet has one validator, which sends no messages to others: start it with --validators 4')
  }

  function addCuts(added: readonly Direction[]): void {
    for (const [from, to] of added) hub.block(from.node.name, to.node.name)
    cuts = [...cuts.filter((cut) => !added.some((direction) => isSameDirection(direction, cut))), ...added]
  }

  function heal(): void {
    for (const member of members.all()) member.isApart = false
    for (const [from, to] of cuts) hub.unblock(from.node.name, to.node.name)
    cuts = []
  }

  function partition(addresses: readonly string[]): void {
    checkSeveral()
    const inside = new Set(addresses.map(members.at))
    const outside = members.all().filter((member) => !inside.has(member))
    if (inside.size === 0 || outside.length === 0) {
      const what = inside.size === 0 ? 'no validator' : `all ${inside.size} validators`
      throw refused(`a partition needs validators on both sides, but the call names ${what}`)
    }
    addCuts([...directions([...inside], outside), ...directions(outside, [...inside])])
    const apart = outside.some(({ node }) => node === nodes[0]) ? [...inside] : outside
    for (const member of apart) member.isApart = true
  }

  function delay(ms: number, direction: DelayedDirection = {}): readonly DevnetDelay[] {
    checkSeveral()
    if (!delays.set(ms, direction)) throw refused('a validator sends no messages to itself: name two validators')
    return delays.list()
  }

  return {
    crash: (address) => {
      const { node } = members.at(address)
      if (node === nodes[0])
        throw refused(`${node.name} cannot be ended, because it answers this call: name another validator`)
      if (node.status() !== 'running') throw refused(`${node.name} does not run: it is ${node.status()}`)
      node.crash('kill')
    },
    restart: async (address) => {
      const { node } = members.at(address)
      if (node.status() !== 'down')
        throw refused(`${node.name} cannot be started, because it is ${node.status()} and not down`)
      await progress.drive(node.start(), 'start')
    },
    partition,
    heal,
    join: (node) => {
      const apart = members.all().filter(({ isApart }) => isApart)
      const member = members.of(node)
      addCuts([...directions([member], apart), ...directions(apart, [member])])
      delays.join(member)
    },
    leave: (node) => {
      const ended = cuts.filter((cut) => cut.some((member) => member.node === node))
      for (const [from, to] of ended) hub.unblock(from.node.name, to.node.name)
      cuts = cuts.filter((cut) => !ended.includes(cut))
      delays.leave(members.of(node))
    },
    delay,
    delays: delays.list,
    longestDelay: () => Math.max(0, ...delays.list().map(({ ms }) => ms)),
    end: () => {
      heal()
      delays.end()
    },
  }
}
