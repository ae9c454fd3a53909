import { createVirtualClock, type VirtualClock } from '@org/runtime'
import {
  type Block,
  type BlockId,
  copyIncrementProposerPriority,
  createValidator,
  type ExtendedCommit,
  extendedCommitToCommit,
  hashBlock,
  hashConsensusParams,
  hashValidators,
  makeBlock,
  makeBlockParts,
  makePartSet,
  medianTime,
  type PartSet,
  Proposal,
  proposalSignBytes,
  SignedMsgType,
  type State,
  Vote,
  validatorByAddress,
  voteExtensionSignBytes,
  voteSignBytes,
} from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { type PrivateKey, publicKeyOf, sha256, sign } from '@org/types/crypto'
import { createTicker, type Ticker } from '../../src/consensus/driver/index.ts'
import {
  type Call,
  type ConsensusMessage,
  createMachine,
  DEFAULT_MACHINE_OPTIONS,
  type Effect,
  feedMachine,
  type Input,
  type Machine,
  type MachineOptions,
  type Result,
  type RoundEvent,
  type UntimedInput,
} from '../../src/consensus/machine/index.ts'
import { makeFirstState } from '../support/first-state.ts'

export const CHAIN_ID = 'virtual'
export const START = 1_700_000_000_000_000_000n

export interface NetworkOptions {
  readonly powers?: readonly bigint[]
  readonly options?: Partial<MachineOptions>
  readonly extensionsFrom?: number
  /**
   * The maximum size of a block in bytes, in the chain's consensus parameters. Default: the maximum size in the default
   * consensus parameters.
   */
  readonly maxBytes?: bigint
  /**
   * The answers of the nodes' applications and signers. By default an application accepts everything, a vote extension
   * is the height and the number of the node, and a signer signs everything.
   */
  readonly app?: Partial<VirtualApp>
  readonly initialHeight?: number
}

export interface VirtualApp {
  readonly txs: (height: number, node: number) => readonly Uint8Array[]
  readonly validate: (block: Block, node: number) => string | undefined
  readonly accept: (block: Block, node: number) => boolean
  readonly extend: (height: number, node: number) => Uint8Array
  readonly verifyExtension: (vote: Vote, node: number) => boolean
  /** Returns false if the signer of the node refuses to sign the vote. */
  readonly signs: (vote: Vote, node: number) => boolean
}

const APP: VirtualApp = {
  txs: () => [],
  validate: () => undefined,
  accept: () => true,
  extend: (height, node) => utf8ToBytes(`${height}/${node}`),
  verifyExtension: () => true,
  signs: () => true,
}

export interface VirtualNode {
  readonly index: number
  readonly key: PrivateKey
  readonly address: Uint8Array
  readonly machine: Machine
  readonly events: RoundEvent[]
  readonly effects: Effect[]
  readonly inputs: Input[]
  readonly conflicts: (readonly [Vote, Vote])[]
  /** The messages that this node sent, in order. */
  readonly sent: ConsensusMessage[]
  readonly commits: { readonly block: Block; readonly seenCommit: ExtendedCommit }[]
  /** Receives a message as if a peer had sent it. */
  readonly receive: (message: ConsensusMessage, peerId?: string) => void
  readonly feed: (input: UntimedInput) => void
  /** Returns a vote that is signed with this node's key. A test can sign any vote with it. */
  readonly vote: (fields: Partial<Vote>) => Vote
  readonly propose: (block: VirtualBlock, fields?: Partial<Proposal>) => Proposal
}

interface QueuedMessage {
  readonly message: ConsensusMessage
  readonly from: number
  readonly to: number
}

/**
 * Returns true if gossip would not yet send the message to a peer at this height and round. Gossip sends no message of
 * a later height, and no proposal or block part of a later round.
 */
function isEarly(message: ConsensusMessage, at: { readonly height: number; readonly round: number }): boolean {
  const { height, round } =
    message.kind === 'proposal' ? message.proposal : message.kind === 'vote' ? message.vote : message
  return height > at.height || (message.kind !== 'vote' && height === at.height && round > at.round)
}

export interface VirtualBlock {
  readonly block: Block
  readonly parts: PartSet
  readonly blockId: BlockId
}

export interface VirtualNetwork {
  readonly clock: VirtualClock
  readonly nodes: readonly VirtualNode[]
  /** Returns the proposer of a round at the height that node 0 works on. */
  readonly proposerOf: (round: number) => VirtualNode
  /** Returns a valid next block for the state of node 0. */
  readonly block: (txs?: readonly string[], proposer?: VirtualNode) => VirtualBlock
  /** Returns the parts and the id of a block that a test changed. */
  readonly remake: (block: Block) => VirtualBlock
  /** Returns a part set of bytes that are not a block. */
  readonly garbage: () => VirtualBlock
  /** Decides for each message and receiver whether the message arrives. A message that does not arrive is lost. */
  deliver: (message: ConsensusMessage, from: number, to: number) => boolean
  /** Passes messages on until no message is left, or the condition holds. */
  readonly deliverAll: (done?: () => boolean) => void
  /** Fires timers, one after the other, until the condition holds. */
  readonly runUntil: (done: () => boolean, limit?: number) => void
  readonly start: () => void
}

/** Machines with a virtual clock and messages between them, without disk, sockets and promises. */
export function createVirtualNetwork(given: NetworkOptions = {}): VirtualNetwork {
  const { powers = [10n, 10n, 10n, 10n], extensionsFrom = 0, initialHeight = 1 } = given
  const app = { ...APP, ...given.app }
  const clock = createVirtualClock(START)
  const first = { chainId: CHAIN_ID, time: START, powers, extensionsFrom, initialHeight }
  const { keys, state: made } = makeFirstState(first)
  const { block: limits } = made.consensusParams
  const block = { ...limits, maxBytes: given.maxBytes ?? limits.maxBytes }
  const chain = { ...made, consensusParams: { ...made.consensusParams, block } }
  const set = chain.validators
  let queue: QueuedMessage[] = []

  function makeVirtualBlock(
    state: State,
    lastCommit: ExtendedCommit,
    more: { txs: readonly Uint8Array[]; proposer: Uint8Array },
  ) {
    const commit = extendedCommitToCommit(lastCommit)
    const height = state.lastBlockHeight === 0 ? state.initialHeight : state.lastBlockHeight + 1
    const time = state.lastBlockHeight === 0 ? state.lastBlockTime : medianTime(commit, state.lastValidators)
    const block = makeBlock({
      height,
      txs: more.txs,
      lastCommit: commit,
      evidence: [],
      header: {
        chainId: CHAIN_ID,
        time,
        lastBlockId: state.lastBlockId,
        validatorsHash: hashValidators(state.validators),
        nextValidatorsHash: hashValidators(state.nextValidators),
        consensusHash: hashConsensusParams(state.consensusParams),
        appHash: state.appHash,
        proposerAddress: more.proposer,
      },
    })
    return { block, ...makeBlockParts(block) }
  }

  function createNode(key: PrivateKey, index: number): VirtualNode {
    const publicKey = publicKeyOf(key)
    const events: RoundEvent[] = []
    const effects: Effect[] = []
    const inputs: Input[] = []
    const conflicts: (readonly [Vote, Vote])[] = []
    const sent: ConsensusMessage[] = []
    const commits: { block: Block; seenCommit: ExtendedCommit }[] = []
    const machine = createMachine(
      { ...DEFAULT_MACHINE_OPTIONS, ...given.options },
      { chain, lastCommit: undefined, lastHeaderAppHash: undefined, publicKey, time: clock.now() },
    )
    const ticker: Ticker = createTicker(clock, (timeout) => feed({ type: 'timeout', timeout }))
    ticker.start()
    const own: ConsensusMessage[] = []
    let busy = false

    function step(input: Input): void {
      inputs.push(input)
      feedMachine(machine, input, {
        answer: (call) => {
          effects.push(call)
          const result = answer(call)
          inputs.push({ type: 'result', time: input.time, result })
          return result
        },
        perform: (effect) => {
          effects.push(effect)
          perform(effect)
        },
      })
    }

    function feed(input: UntimedInput): void {
      // A timeout of zero length may fire during a step. Its input is then fed after this step.
      if (busy) {
        clock.after(0, () => feed(input))
        return
      }
      busy = true
      step({ ...input, time: clock.now() })
      for (let message = own.shift(); message !== undefined; message = own.shift()) {
        step({ type: 'message', peerId: '', time: clock.now(), message })
        sent.push(message)
        for (const to of powers.keys()) if (to !== index) queue.push({ message, from: index, to })
      }
      busy = false
    }

    function perform(effect: Exclude<Effect, Call>): void {
      if (effect.type === 'own') own.push(effect.message)
      else if (effect.type === 'schedule') ticker.schedule(effect.timeout)
      else if (effect.type === 'publish') events.push(effect.event)
      else if (effect.type === 'conflictingVotes') conflicts.push(effect.votes)
      else if (effect.type === 'halt') throw effect.error
    }

    function answer(call: Call): Result {
      const { chain: state, height } = machine.state
      switch (call.type) {
        case 'createProposalBlock': {
          const more = { txs: app.txs(height, index), proposer: call.proposerAddress }
          return { type: call.type, value: makeVirtualBlock(state, call.lastExtendedCommit, more) }
        }
        case 'signProposal': {
          const signature = sign(key, proposalSignBytes(CHAIN_ID, call.proposal))
          return { type: call.type, value: { ...call.proposal, signature } }
        }
        case 'signVote':
          if (!app.signs(call.vote, index)) return { type: call.type, value: undefined }
          return { type: call.type, value: signVote(call.vote, call.withExtension) }
        case 'validateBlock':
          return { type: call.type, value: app.validate(call.block, index) }
        case 'processProposal':
          return { type: call.type, value: app.accept(call.block, index) }
        case 'extendVote':
          return { type: call.type, value: app.extend(height, index) }
        case 'verifyVoteExtension':
          return { type: call.type, value: app.verifyExtension(call.vote, index) }
        case 'commitBlock':
          commits.push({ block: call.block, seenCommit: call.seenCommit })
          return { type: call.type, value: { state: nextState(state, call), publicKey } }
      }
    }

    function signVote(vote: Vote, withExtension: boolean): Vote {
      const extensionSignature = withExtension ? sign(key, voteExtensionSignBytes(CHAIN_ID, vote)) : new Uint8Array(0)
      return { ...vote, signature: sign(key, voteSignBytes(CHAIN_ID, vote)), extensionSignature }
    }

    const { address } = createValidator(publicKey, 1n)
    return {
      index,
      key,
      address,
      machine,
      events,
      effects,
      inputs,
      conflicts,
      sent,
      commits,
      feed,
      receive: (message, peerId = 'peer') => feed({ type: 'message', peerId, message }),
      vote: (fields) => {
        const { state } = machine
        const validatorIndex = validatorByAddress(set, address)?.index ?? -1
        const { height, round } = state
        const base = { type: SignedMsgType.prevote, height, round, timestamp: clock.now(), validatorAddress: address }
        const vote = Vote.create({ ...base, validatorIndex, ...fields })
        const extended = vote.type === SignedMsgType.precommit && vote.blockId.hash.length > 0 && extensionsFrom > 0
        return signVote(vote, extended && height >= extensionsFrom)
      },
      propose: ({ blockId }, fields = {}) => {
        const { height, round } = machine.state
        const type = SignedMsgType.proposal
        const base = { type, height, round, polRound: -1, blockId, timestamp: clock.now() }
        const proposal = Proposal.create({ ...base, ...fields })
        return { ...proposal, signature: sign(key, proposalSignBytes(CHAIN_ID, proposal)) }
      },
    }
  }

  function nextState(state: State, { block, blockId }: { block: Block; blockId: BlockId }): State {
    return {
      ...state,
      lastBlockHeight: block.header.height,
      lastBlockId: blockId,
      lastBlockTime: block.header.time,
      lastValidators: state.validators,
      validators: state.nextValidators,
      nextValidators: copyIncrementProposerPriority(state.nextValidators, 1),
      // The app hash changes with each block that has transactions: it depends on the number of transactions in each
      // block.
      appHash:
        block.data.txs.length === 0 ? state.appHash : sha256(Uint8Array.of(...state.appHash, block.data.txs.length)),
    }
  }

  // The nodes are in the order of the validator set.
  const order = set.validators.map(({ address }) =>
    keys.findIndex((key) => createValidator(publicKeyOf(key), 1n).address.every((byte, i) => byte === address[i])),
  )
  const nodes = order.map((key, index) => createNode(keys[key] as PrivateKey, index))

  const network: VirtualNetwork = {
    clock,
    nodes,
    deliver: () => true,
    proposerOf: (round) => {
      const { state } = (nodes[0] as VirtualNode).machine
      const rotated =
        round === 0 ? state.chain.validators : copyIncrementProposerPriority(state.chain.validators, round)
      const address = rotated.proposer?.address as Uint8Array
      return nodes[validatorByAddress(set, address)?.index ?? -1] as VirtualNode
    },
    block: (txs = [], proposer = network.proposerOf(0)) => {
      const { state } = (nodes[0] as VirtualNode).machine
      const last = state.lastCommit
      if (last !== undefined) throw new Error('blocks are made for the first height')
      const none = {
        height: 0,
        round: 0,
        blockId: { hash: new Uint8Array(0), partSetHeader: { total: 0, hash: new Uint8Array(0) } },
        extendedSignatures: [],
      }
      return makeVirtualBlock(state.chain, none, { txs: txs.map(utf8ToBytes), proposer: proposer.address })
    },
    remake: (block) => ({ block, ...makeBlockParts(block) }),
    garbage: () => {
      const { block } = network.block()
      const parts = makePartSet(new Uint8Array(100).fill(0xff))
      return { block, parts, blockId: { hash: sha256(new Uint8Array(1)), partSetHeader: parts.header } }
    },
    deliverAll: (done = () => false) => {
      for (let at = 0; at < queue.length && !done(); ) {
        const queued = queue[at] as QueuedMessage
        const { message, from, to } = queued
        if (isEarly(message, (nodes[to] as VirtualNode).machine.state)) {
          at++
          continue
        }
        queue = queue.filter((other) => other !== queued)
        // This delivery may have changed the receiver's height or round, so all waiting messages are tried again.
        at = 0
        if (network.deliver(message, from, to)) nodes[to]?.receive(message, `node${from}`)
      }
    },
    runUntil: (done, limit = 10_000) => {
      network.deliverAll(done)
      for (let i = 0; !done(); i++) {
        if (i === limit || !clock.next()) throw new Error('the condition does not come true')
        network.deliverAll(done)
      }
    },
    start: () => {
      for (const node of nodes) node.feed({ type: 'start' })
      network.deliverAll()
    },
  }
  return network
}

export function hashText(block: Block): string {
  return Buffer.from(hashBlock(block)).toString('hex')
}
