import type { Action } from './action.ts'
import type { NetworkEvent } from './network-event.ts'

/** The importance of an entry of the log. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'user'

/** An entry of the log, in plain English. */
export interface Entry {
  readonly at: number
  readonly text: string
  readonly tone: Tone
}

const name = (node: number): string => (node < 0 ? 'a validator outside this network' : `n${node}`)
const named = (block: string): string => `block ${block}`
const list = (nodes: readonly number[]): string => nodes.map(name).join(', ')

const LIES: Readonly<Record<string, string>> = {
  equivocate:
    'signs two different votes for the same round, and sends the first vote to some peers and the second vote to the rest',
  withhold: 'keeps a vote or a proposal back from some peers',
  doublePropose: 'proposes two different blocks in one round',
  invalidBlock: 'proposes a block with a wrong application hash',
  amnesia: 'ignores its lock and prevotes something else',
  wrongPol: 'claims a proof of lock that does not exist',
}

/**
 * For each invariant of the simulator, by its name: what happened if the invariant is broken. The page calls an
 * invariant a rule.
 */
export const RULES: Readonly<Record<string, string>> = {
  agreement: 'Two nodes decided different blocks at one height. This is a fork: the chain is no longer one chain.',
  'app hash': 'Two nodes have different application states after the same block.',
  evidence: 'A validator signed twice, an honest node has both votes, and no block contains the evidence.',
  halt: 'A node stopped by itself without a fault that explains it.',
  heights: 'A height of the chain is missing.',
  liveness: 'The network has no faults left, and no new blocks come.',
  lock: 'An honest validator voted against the block on which it is locked.',
  lost: 'A node lost something that it had sent or reported before a crash.',
  once: 'Two blocks contain the same transaction or the same evidence.',
  peers: 'An honest node refused a message of an honest node.',
  proposer: 'A node expects another proposer than the one of the round.',
  'signs twice': 'An honest validator signed two different votes for one height, round and step.',
  stored: 'The disk of a node lacks something that it must have.',
  validity: 'A block contains something that no client sent, or it breaks a rule of blocks.',
  votes: 'A node sent a vote whose signature is not valid.',
}

function describeAction(action: Action): string {
  switch (action.kind) {
    case 'cut':
      return `You cut the link between ${list(action.link)}. Messages between them wait.`
    case 'mend':
      return `You mended the link between ${list(action.link)}. The messages that waited arrive.`
    case 'split':
      return `You separated ${list(action.group)} from the others.`
    case 'join':
      return 'You mended all links. The messages that waited arrive.'
    case 'crash':
      return `You crashed ${name(action.node)}: its machine lost power.`
    case 'start':
      return `You started ${name(action.node)} again.`
    case 'freeze':
      return `You froze ${name(action.node)}: it does nothing, and messages to it wait.`
    case 'thaw':
      return `You let ${name(action.node)} continue.`
    case 'lie':
      return `You made ${name(action.node)} Byzantine: ${action.lies.map((lie) => LIES[lie] ?? lie).join('; ')}.`
    case 'obey':
      return `${name(action.node)} keeps the rules again.`
    case 'slow':
      return action.ms === 0
        ? `The links of ${name(action.node)} are fast again.`
        : `You made the links of ${name(action.node)} slow: each message takes ${action.ms} ms longer.`
    case 'send':
      return `You sent the transaction ${action.name} to ${name(action.node)}.`
  }
}

function describeBlock(networkEvent: Extract<NetworkEvent, { readonly what: 'block' }>): Pick<Entry, 'text' | 'tone'> {
  const { height, block, round, txs, offenders } = networkEvent
  const count = txs.length === 0 ? '' : txs.length === 1 ? ', with 1 transaction' : `, with ${txs.length} transactions`
  const after = round === 0 ? '' : `, in round ${round}`
  const text = `Height ${height}: ${named(block)} is decided${after}${count}.`
  if (offenders.length === 0) return { text, tone: 'good' }
  return { text: `${text} It contains the evidence that ${list(offenders)} signed twice.`, tone: 'bad' }
}

/**
 * Returns the entry that the log shows for something that happened in the network. Returns `undefined` if the log shows
 * no entry for it, for example for a prevote for a block.
 */
export function describe(networkEvent: NetworkEvent): Entry | undefined {
  const { at } = networkEvent
  const entry = (text: string, tone: Tone = 'plain'): Entry => ({ at, text, tone })
  switch (networkEvent.what) {
    case 'round': {
      const { height, round, proposer } = networkEvent
      if (round === 0) return entry(`Height ${height} begins. ${name(proposer)} proposes.`)
      return entry(
        `Round ${round} of height ${height} begins: round ${round - 1} decided nothing. ${name(proposer)} proposes.`,
        'warn',
      )
    }
    case 'prevote':
    case 'precommit':
      if (networkEvent.block !== '') return undefined
      return entry(
        `${name(networkEvent.node)} sends a ${networkEvent.what} for no block in round ${networkEvent.round}.`,
        'warn',
      )
    case 'lock': {
      const { node, round, block } = networkEvent
      return entry(`${name(node)} locks on ${named(block)}: more than two thirds prevoted it in round ${round}.`)
    }
    case 'unlock':
      return entry(`${name(networkEvent.node)} releases its lock on ${named(networkEvent.block)}.`)
    case 'decide':
      return undefined
    case 'block':
      return { at, ...describeBlock(networkEvent) }
    case 'crash':
      return undefined
    case 'start':
      return networkEvent.again
        ? entry(`${name(networkEvent.node)} runs again: it has replayed its write-ahead log.`)
        : undefined
    case 'halt':
      return entry(`${name(networkEvent.node)} stops by itself: ${networkEvent.reason}`, 'bad')
    case 'caught-up':
      return entry(
        `${name(networkEvent.node)} has caught up from height ${networkEvent.from} to ${networkEvent.height}.`,
        'good',
      )
    case 'lie':
      return entry(`${name(networkEvent.node)} ${LIES[networkEvent.lie] ?? networkEvent.lie}.`, 'bad')
    case 'action':
      return entry(describeAction(networkEvent.action), 'user')
    case 'violation':
      return entry(`Rule broken (${networkEvent.rule}): ${networkEvent.detail}`, 'bad')
  }
}
