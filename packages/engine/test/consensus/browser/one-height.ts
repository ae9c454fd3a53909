import {
  type Call,
  type ConsensusMessage,
  createMachine,
  DEFAULT_MACHINE_OPTIONS,
  feedMachine,
  type Machine,
  type Result,
  type Timeout,
  type UntimedInput,
} from '@org/engine/consensus'
import {
  BLOCK_PROTOCOL,
  copyIncrementProposerPriority,
  createValidator,
  createValidatorSet,
  defaultConsensusParams,
  extendedCommitToCommit,
  hashBlock,
  hashConsensusParams,
  hashValidators,
  makeBlock,
  makeBlockParts,
  proposalSignBytes,
  SignedMsgType,
  State,
  verifyCommit,
  voteSignBytes,
} from '@org/types'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { generateEd25519, type PrivateKey, publicKeyOf, sign } from '@org/types/crypto'

const CHAIN_ID = 'page'
const NOW = 1_700_000_000_000_000_000n

type Committed = Extract<Call, { type: 'commitBlock' }>

export interface OneHeight {
  /** The messages of all validators, in the order in which they were sent. */
  readonly sent: readonly string[]
  /** The hash of the block that each validator committed. */
  readonly committed: readonly string[]
  /** The height of each machine at the end. */
  readonly heights: readonly number[]
  /** The number of transactions in the committed block. */
  readonly txs: number
}

interface Node {
  readonly machine: Machine
  readonly feed: (input: UntimedInput) => void
  readonly commit: () => Committed | undefined
  readonly timeout: () => Timeout | undefined
}

function firstState(keys: readonly PrivateKey[]): State {
  const validators = createValidatorSet(keys.map((key) => createValidator(publicKeyOf(key), 10n)))
  return State.create({
    version: { consensus: { block: BLOCK_PROTOCOL, app: 0n }, software: '' },
    chainId: CHAIN_ID,
    initialHeight: 1,
    lastBlockTime: NOW,
    validators,
    nextValidators: copyIncrementProposerPriority(validators, 1),
    lastValidators: createValidatorSet([]),
    consensusParams: defaultConsensusParams(),
  })
}

function blockOf(
  state: State,
  { lastExtendedCommit, proposerAddress }: Extract<Call, { type: 'createProposalBlock' }>,
) {
  const block = makeBlock({
    height: 1,
    txs: [utf8ToBytes('name=satoshi')],
    lastCommit: extendedCommitToCommit(lastExtendedCommit),
    evidence: [],
    header: {
      chainId: CHAIN_ID,
      time: NOW,
      lastBlockId: state.lastBlockId,
      validatorsHash: hashValidators(state.validators),
      nextValidatorsHash: hashValidators(state.nextValidators),
      consensusHash: hashConsensusParams(state.consensusParams),
      proposerAddress,
    },
  })
  return { block, parts: makeBlockParts(block).parts }
}

function nameOf(message: ConsensusMessage): string {
  if (message.kind !== 'vote') return message.kind
  return message.vote.type === SignedMsgType.prevote ? 'prevote' : 'precommit'
}

/** Creates a validator. `send` passes the validator's messages to the other validators. */
function createNode(chain: State, key: PrivateKey, send: (message: ConsensusMessage) => void): Node {
  const publicKey = publicKeyOf(key)
  const initial = { chain, lastCommit: undefined, lastHeaderAppHash: undefined, publicKey, time: NOW }
  const machine = createMachine(DEFAULT_MACHINE_OPTIONS, initial)
  const own: ConsensusMessage[] = []
  let commit: Committed | undefined
  let timeout: Timeout | undefined

  function answer(call: Call): Result {
    switch (call.type) {
      case 'createProposalBlock':
        return { type: call.type, value: blockOf(chain, call) }
      case 'signProposal': {
        const signature = sign(key, proposalSignBytes(CHAIN_ID, call.proposal))
        return { type: call.type, value: { ...call.proposal, signature } }
      }
      case 'signVote': {
        const signature = sign(key, voteSignBytes(CHAIN_ID, call.vote))
        return { type: call.type, value: { ...call.vote, signature } }
      }
      case 'validateBlock':
        return { type: call.type, value: undefined }
      case 'processProposal':
        return { type: call.type, value: true }
      case 'extendVote':
        return { type: call.type, value: new Uint8Array(0) }
      case 'verifyVoteExtension':
        return { type: call.type, value: true }
      case 'commitBlock': {
        commit = call
        const last = { lastBlockHeight: 1, lastBlockId: call.blockId, lastValidators: chain.validators }
        return { type: call.type, value: { state: { ...chain, ...last }, publicKey } }
      }
    }
  }

  function step(input: UntimedInput): void {
    feedMachine(
      machine,
      { ...input, time: NOW },
      {
        answer,
        perform: (effect) => {
          if (effect.type === 'own') own.push(effect.message)
          else if (effect.type === 'schedule') timeout = effect.timeout
          else if (effect.type === 'halt') throw effect.error
          else if (effect.type === 'judgement' && effect.judgement.outcome === 'reject') throw effect.judgement
        },
      },
    )
  }

  function feed(input: UntimedInput): void {
    step(input)
    for (let message = own.shift(); message !== undefined; message = own.shift()) {
      step({ type: 'message', peerId: '', message })
      send(message)
    }
  }

  return { machine, feed, commit: () => commit, timeout: () => timeout }
}

/** Four validators with real keys decide the first height, in one turn and without any timer or I/O. */
export async function runOneHeight(): Promise<OneHeight> {
  const keys = [1, 2, 3, 4].map((seed) => generateEd25519(new Uint8Array(32).fill(seed)))
  const chain = firstState(keys)
  const queue: { readonly message: ConsensusMessage; readonly from: number }[] = []
  const sent: string[] = []
  const nodes = keys.map((key, from) =>
    createNode(chain, key, (message) => {
      sent.push(nameOf(message))
      queue.push({ message, from })
    }),
  )
  for (const { feed } of nodes) feed({ type: 'start' })
  for (const { feed, timeout } of nodes) feed({ type: 'timeout', timeout: timeout() as Timeout })
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const [to, { feed }] of nodes.entries())
      if (to !== next.from) feed({ type: 'message', peerId: `node${next.from}`, message: next.message })
  }
  const commits = nodes.map(({ commit }) => commit() as Committed)
  const [first] = commits as [Committed]
  const commit = extendedCommitToCommit(first.seenCommit)
  await verifyCommit({ chainId: CHAIN_ID, validators: chain.validators, blockId: first.blockId, height: 1, commit })
  return {
    sent,
    committed: commits.map(({ block }) => bytesToHex(hashBlock(block))),
    heights: nodes.map(({ machine }) => machine.state.height),
    txs: first.block.data.txs.length,
  }
}
