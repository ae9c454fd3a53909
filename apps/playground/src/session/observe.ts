import type { RoundState } from '@org/engine/consensus'
import type { NodeStatus, SimNetwork, SimNode } from '@org/simnet/network'
import type { Evidence } from '@org/types'
import { bytesToUtf8 } from '@org/types/bytes'
import { blockName } from './block-name.ts'
import type { ChainBlock, NetworkEvent } from './network-event.ts'
import { type Members, ownVote } from './view.ts'

/** An event without its time. */
type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never
export type Report = (networkEvent: Untimed<NetworkEvent>) => void

/** The state of a node at the last observation. */
interface Seen {
  status: NodeStatus
  hasRun: boolean
  /** The height and round of the last reported prevote, as one number that grows. */
  prevoted: number
  precommitted: number
  decided: number
  locked: { readonly height: number; readonly round: number; readonly block: string } | undefined
  /**
   * The height of the node when it started, if the node was behind then and has not caught up since; otherwise
   * `undefined`.
   */
  behindFrom: number | undefined
}

const MAX_ROUNDS = 100_000
/**
 * A node is behind if it lacks at least this number of blocks. A node that lacks one block is not behind, because the
 * other nodes may have stored this block just now.
 */
const BEHIND = 2

const placeNumber = (height: number, round: number): number => height * MAX_ROUNDS + round

/**
 * Returns a function that compares the network with the last observation, and reports each change. The function is long
 * because it contains all kinds of changes, which use the same last observation.
 */
export function createObserver(
  network: Pick<SimNetwork, 'nodes' | 'monitor'>,
  members: Members,
  report: Report,
): () => void {
  const { nodes, monitor } = network
  const all = nodes.map(
    (): Seen => ({
      ...{
        status: 'down',
        hasRun: false,
        prevoted: 0,
        precommitted: 0,
        decided: 0,
        locked: undefined,
        behindFrom: undefined,
      },
    }),
  )
  let [lastRound, lastBlock, violations] = [0, 0, 0]

  function status(node: SimNode, index: number, seen: Seen): void {
    const now = node.status()
    if (now === seen.status) return
    if (now === 'down') report({ what: 'crash', node: index })
    if (now === 'halted') report({ what: 'halt', node: index, reason: node.failure()?.message ?? '' })
    if (now === 'running') {
      report({ what: 'start', node: index, again: seen.hasRun })
      seen.hasRun = true
      const stored = node.engine()?.blockStore.height() ?? 0
      if (stored + BEHIND <= lastBlock) seen.behindFrom = stored
    }
    seen.status = now
  }

  function votes(state: Readonly<RoundState>, index: number, seen: Seen): void {
    const { height, round } = state
    const validatorIndex = members.validatorIndexOf(state.validators, index)
    const at = placeNumber(height, round)
    if (at > seen.prevoted) {
      const block = ownVote(state.votes.prevotes(round), validatorIndex)
      if (block !== undefined) {
        seen.prevoted = at
        report({ what: 'prevote', node: index, height, round, block })
      }
    }
    if (at > seen.precommitted) {
      const block = ownVote(state.votes.precommits(round), validatorIndex)
      if (block !== undefined) {
        seen.precommitted = at
        report({ what: 'precommit', node: index, height, round, block })
      }
    }
  }

  function lock({ height, locked }: Readonly<RoundState>, index: number, seen: Seen): void {
    const before = seen.locked
    if (locked === undefined) {
      if (before?.height === height) report({ what: 'unlock', node: index, ...before })
      seen.locked = undefined
      return
    }
    if (before?.height === height && before.round === locked.round) return
    seen.locked = { height, round: locked.round, block: blockName(locked.hash) }
    report({ what: 'lock', node: index, ...seen.locked })
  }

  function offenderOf({ sum }: Evidence): readonly number[] {
    const address = sum?.case === 'duplicateVoteEvidence' ? sum.value.voteA?.validatorAddress : undefined
    return address === undefined ? [] : [members.nodeOf(address)]
  }

  function blocks(node: SimNode): void {
    const store = node.engine()?.blockStore
    if (store === undefined) return
    for (let height = lastBlock + 1; height <= store.height(); height++) {
      const block = store.loadBlock(height)
      if (block === undefined) return
      lastBlock = height
      const { header, data, evidence } = block
      const facts: ChainBlock = {
        height,
        block: blockName(store.loadBlockMeta(height)?.blockId.hash ?? new Uint8Array(0)),
        round: store.loadSeenCommit(height)?.round ?? 0,
        proposer: members.nodeOf(header.proposerAddress),
        txs: data.txs.map(bytesToUtf8),
        offenders: [...new Set(evidence.evidence.flatMap(offenderOf))],
      }
      report({ what: 'block', ...facts })
    }
  }

  function caughtUp(node: SimNode, index: number, seen: Seen): void {
    const height = node.engine()?.blockStore.height() ?? 0
    if (seen.behindFrom === undefined || height + 1 < lastBlock) return
    report({ what: 'caught-up', node: index, from: seen.behindFrom, height })
    seen.behindFrom = undefined
  }

  function observeNode(node: SimNode, index: number): void {
    const seen = all[index] as Seen
    status(node, index, seen)
    const engine = node.engine()
    if (engine === undefined || seen.status !== 'running') return
    const state = engine.consensus.roundState()
    const { height, round, decision } = state
    const at = placeNumber(height, round)
    if (at > lastRound && state.step > 1) {
      lastRound = at
      report({ what: 'round', height, round, proposer: members.proposerOf(state.validators) })
    }
    votes(state, index, seen)
    lock(state, index, seen)
    if (decision !== undefined && height > seen.decided) {
      seen.decided = height
      report({ what: 'decide', node: index, height, round: decision.round, block: blockName(decision.blockId.hash) })
    }
    blocks(node)
    caughtUp(node, index, seen)
  }

  return () => {
    for (const [index, node] of nodes.entries()) observeNode(node, index)
    const found = monitor.violations()
    for (; violations < found.length; violations++) {
      const { rule, detail } = found[violations] as (typeof found)[number]
      report({ what: 'violation', rule, detail })
    }
  }
}
