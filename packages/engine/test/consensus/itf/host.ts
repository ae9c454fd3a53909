import { hashBlock, SignedMsgType, type Vote } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import {
  type Call,
  type ConsensusMessage,
  createMachine,
  DEFAULT_MACHINE_OPTIONS,
  type Effect,
  feedMachine,
  type Machine,
  type Result,
  type Timeout,
  type UntimedInput,
} from '../../../src/consensus/machine/index.ts'
import { type Chain, NOW } from './chain.ts'

/** The name of the value that the Quint model rejects. The application rejects the block that represents this value. */
const INVALID = 'invalid'

export interface HostOptions {
  readonly name: string
  /** The values that the machine must propose, by height and round of the Quint model. */
  readonly plan: ReadonlyMap<string, string>
  readonly wrap: (machine: Machine) => Machine
}

/**
 * A machine with an application and a signer. Its messages and timeouts are only recorded: the messages are not sent,
 * and no timer runs.
 */
export interface Host {
  readonly machine: Machine
  readonly feed: (input: UntimedInput) => void
  /**
   * The values for which the machine has sent messages. The key has the kind of the message, and its height and round
   * in the Quint model. For example, the key `prevote 0/1` has the value `red`.
   */
  readonly sent: ReadonlyMap<string, string>
  /** The machine's own votes. The keys have the same form as in `sent`, such as `prevote 0/1`. */
  readonly own: ReadonlyMap<string, Vote>
  /** The machine's decisions in the order of the heights: the value and the round of each, such as `red in 0`. */
  readonly decided: readonly string[]
  readonly timeouts: readonly Timeout[]
  /** Returns the reason why the machine has halted; `undefined` while it accepts input. */
  readonly halted: () => string | undefined
}

export function startHost(chain: Chain, { name, plan, wrap }: HostOptions): Host {
  const { publicKey } = chain.member(name)
  const sent = new Map<string, string>()
  const own = new Map<string, Vote>()
  const decided: string[] = []
  const timeouts: Timeout[] = []
  let halted: string | undefined
  const machine = wrap(
    createMachine(
      DEFAULT_MACHINE_OPTIONS,
      { chain: chain.state, lastCommit: undefined, lastHeaderAppHash: undefined, publicKey, time: NOW },
      // In these tests, the signature of a message is the key of its signer. So the verification refuses a vote that
      // was not signed by the validator that the vote names.
      { verify: (key, _, signature) => equalBytes(key.bytes, signature) },
    ),
  )
  const { state } = machine

  const feed = (input: UntimedInput): void => feedMachine(machine, { ...input, time: NOW }, { answer, perform })

  function perform(effect: Exclude<Effect, Call>): void {
    if (effect.type === 'own') note(effect.message)
    else if (effect.type === 'halt') halted = effect.error.message
    else if (effect.type === 'schedule') timeouts.push(effect.timeout)
  }

  function note(message: ConsensusMessage): void {
    if (message.kind === 'proposal') {
      const { height, round, blockId, polRound } = message.proposal
      sent.set(`proposal ${height - 1}/${round}`, `${chain.blockName(blockId.hash)} of ${polRound}`)
    } else if (message.kind === 'vote') {
      const key = keyOf(message.vote)
      sent.set(key, chain.blockName(message.vote.blockId.hash))
      own.set(key, message.vote)
    }
  }

  function answer(call: Call): Result {
    switch (call.type) {
      case 'createProposalBlock': {
        const value = plan.get(`${state.height - 1}/${state.round}`) ?? 'nothing to propose'
        return { type: call.type, value: chain.block(value, state.height) }
      }
      case 'signProposal':
        return { type: call.type, value: { ...call.proposal, signature: publicKey.bytes } }
      case 'signVote':
        return { type: call.type, value: { ...call.vote, signature: publicKey.bytes } }
      case 'validateBlock':
        return { type: call.type, value: undefined }
      case 'processProposal':
        return { type: call.type, value: chain.blockName(hashBlock(call.block)) !== INVALID }
      case 'commitBlock': {
        decided.push(`${chain.blockName(call.blockId.hash)} in ${state.decision?.round}`)
        const next = { ...chain.state, lastBlockHeight: state.height, lastValidators: chain.state.validators }
        return { type: call.type, value: { state: next, publicKey } }
      }
      default:
        throw new Error(`nobody asked for ${call.type}`)
    }
  }

  feed({ type: 'start' })
  return { machine, feed, sent, own, decided, timeouts, halted: () => halted }
}

/** Heights of the Quint model begin at 0, those of the machine at 1. */
export function keyOf({ type, height, round }: Vote): string {
  return `${type === SignedMsgType.prevote ? 'prevote' : 'precommit'} ${height - 1}/${round}`
}
