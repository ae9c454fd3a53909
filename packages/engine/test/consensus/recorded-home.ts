import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackHome } from '@org/golden'
import {
  type Block,
  type BlockId,
  Block as BlockSchema,
  type EventData,
  equalBlockIds,
  makeBlockParts,
  type PartSet,
  type Proposal,
  parseGenesis,
  partSetFromHeader,
  proposalSignBytes,
  type State,
  type Vote,
  voteExtensionSignBytes,
  voteSignBytes,
} from '@org/types'
import { type PrivateKey, publicKeyOf, sign } from '@org/types/crypto'
import { TimedWalMessage } from '@org/types/messages'
import { eventDataOf, newRoundStepEvent } from '../../src/consensus/driver/events.ts'
import { loadLastCommit } from '../../src/consensus/driver/index.ts'
import { inputFromRecord } from '../../src/consensus/driver/wal-records.ts'
import {
  type Call,
  type ConsensusMessage,
  createMachine,
  type Effect,
  type Input,
  isCall,
  type Machine,
  type MachineOptions,
  type Result,
  RoundStep,
  roundStepName,
} from '../../src/consensus/machine/index.ts'
import { readFrame } from '../../src/consensus/wal/index.ts'
import { createCommitVerifier, makeGenesisState, updateState, validateBlock } from '../../src/execution/index.ts'
import { validatorsFromUpdates } from '../../src/execution/validator-updates.ts'
import { loadKeyFile } from '../../src/privval/index.ts'
import {
  type BlockStore,
  createBlockStore,
  createStateStore,
  type KeyValueStore,
  openLevelStore,
  type StateStore,
} from '../../src/store/index.ts'

export interface RecordedHome {
  readonly directory: string
  readonly records: readonly TimedWalMessage[]
  readonly key: PrivateKey
  readonly blockStore: BlockStore
  readonly stateStore: StateStore
  readonly close: () => Promise<void>
}

export async function openRecordedHome(path: string): Promise<RecordedHome> {
  const directory = mkdtempSync(join(tmpdir(), 'recorded-home-'))
  await unpackHome(path, directory)
  const open = (name: string): Promise<KeyValueStore> => openLevelStore(join(directory, `data/${name}.db`))
  const [blocks, states] = await Promise.all([open('blockstore'), open('state')])
  return {
    directory,
    records: readRecords(join(directory, 'data/cs.wal')),
    key: loadKeyFile(join(directory, 'config/priv_validator_key.json')),
    blockStore: createBlockStore({}, { db: blocks }),
    stateStore: createStateStore({}, { db: states }),
    close: async () => {
      await blocks.close()
      await states.close()
      rmSync(directory, { recursive: true })
    },
  }
}

function readRecords(folder: string): TimedWalMessage[] {
  // `wal` is the first name after sorting, but this file has the newest records, so it is read last.
  const names = readdirSync(folder).filter((name) => /^wal(\.\d+)?$/.test(name))
  const [head, ...older] = names.sort()
  return [...older, head as string].flatMap((name) => {
    const bytes = readFileSync(join(folder, name))
    const records: TimedWalMessage[] = []
    for (let offset = 0; ; ) {
      const read = readFrame(bytes, offset)
      if (read.kind !== 'frame') return records
      records.push(TimedWalMessage.decode(read.data))
      offset = read.next
    }
  })
}

/**
 * Returns the first state that can be made from the stores: the state after InitChain, or after the first block that is
 * not pruned.
 */
function firstState({ directory, blockStore, stateStore }: RecordedHome): State {
  const genesis = makeGenesisState(parseGenesis(readFileSync(join(directory, 'config/genesis.json'), 'utf8')))
  const base = blockStore.base()
  const pruned = base > genesis.initialHeight
  const last = pruned ? blockStore.loadBlockMeta(base) : undefined
  const height = pruned ? base + 1 : genesis.initialHeight
  // The header of the block after this state contains the application's version and the app hash of this state.
  const header = blockStore.loadBlockMeta(height)?.header
  if (header === undefined) throw new Error(`block ${height} is missing`)
  const consensus = { ...genesis.version.consensus, app: header.version.app }
  const after =
    last === undefined
      ? {}
      : {
          lastBlockHeight: base,
          lastBlockId: last.blockId,
          lastBlockTime: last.header.time,
          lastValidators: stateStore.loadValidators(base),
        }
  return {
    ...genesis,
    ...after,
    appHash: header.appHash,
    lastResultsHash: header.lastResultsHash,
    consensusParams: stateStore.loadConsensusParams(height),
    validators: stateStore.loadValidators(height),
    nextValidators: stateStore.loadValidators(height + 1),
    version: { ...genesis.version, consensus },
  }
}

function stateAfter(
  state: State,
  { block, blockId }: { readonly block: Block; readonly blockId: BlockId },
  { stateStore }: RecordedHome,
): State {
  const response = stateStore.loadFinalizeBlockResponse(block.header.height)
  if (response === undefined) throw new Error(`no response of height ${block.header.height}`)
  const validatorUpdates = validatorsFromUpdates(response.validatorUpdates, state.consensusParams)
  const next = updateState(state, { blockId, header: block.header, response, validatorUpdates })
  return { ...next, appHash: response.appHash }
}

const nameOf = (message: ConsensusMessage): string => {
  if (message.kind === 'vote') return `vote/${message.vote.height}/${message.vote.round}/${message.vote.type}`
  if (message.kind === 'proposal') return `proposal/${message.proposal.height}/${message.proposal.round}`
  return `part/${message.height}/${message.round}/${message.part.index}`
}

/**
 * Returns the messages of the node itself, each once. The WAL may have the same message twice, because a restart may
 * have written it again.
 */
function ownMessages(records: readonly TimedWalMessage[]): Map<string, ConsensusMessage> {
  const own = new Map<string, ConsensusMessage>()
  for (const record of records) {
    const input = inputFromRecord(record)
    if (input?.type === 'message' && input.peerId === '') own.set(nameOf(input.message), input.message)
  }
  return own
}

export interface RecordedRun {
  /** The node's own messages in the WAL, in the order of the WAL. */
  readonly recorded: readonly ConsensusMessage[]
  /** The messages that the machine sent, in their order. */
  readonly sent: readonly ConsensusMessage[]
  /** The steps that the WAL records, without repetitions, such as `5/0/RoundStepPropose`. */
  readonly marks: readonly string[]
  readonly entered: readonly string[]
  /** The heights that the machine itself decided. */
  readonly decided: readonly number[]
  /** The heights whose blocks were stored without a decision of the machine, for example by block sync. */
  readonly skipped: readonly number[]
  readonly conflicts: number
  /** The events that the machine publishes, in the form in which subscribers receive them. */
  readonly events: readonly EventData[]
  readonly machine: Machine
}

function heightOf({ msg }: TimedWalMessage): number {
  const sum = msg?.sum
  if (sum?.case === 'msgInfo') {
    const inner = sum.value.msg.sum
    if (inner?.case === 'proposal') return inner.value.proposal.height
    if (inner?.case === 'vote') return inner.value.vote?.height ?? 0
    return inner?.case === 'blockPart' ? inner.value.height : 0
  }
  return sum?.value.height ?? 0
}

/** Feeds a recorded WAL to the machine, with the blocks and responses of the same home. */
export async function runRecordedHome(home: RecordedHome, options: MachineOptions): Promise<RecordedRun> {
  const { key, blockStore } = home
  const start = firstState(home)
  const records = home.records.filter((record) => heightOf(record) > start.lastBlockHeight)
  const own = ownMessages(records)
  const publicKey = publicKeyOf(key)
  const verifyLastCommit = createCommitVerifier({})
  const sent: ConsensusMessage[] = []
  const entered = new Set<string>()
  const marks = new Set<string>()
  const decided: number[] = []
  const skipped: number[] = []
  const events: EventData[] = []
  let conflicts = 0
  let machine = begin(start, records[0]?.time ?? 0n)

  function begin(chain: State, time: bigint): Machine {
    return createMachine(options, {
      chain,
      lastCommit: loadLastCommit(chain, blockStore),
      lastHeaderAppHash: blockStore.loadBlockMeta(chain.lastBlockHeight)?.header.appHash,
      publicKey,
      time,
    })
  }

  /** Returns the block that this node proposed in a round. The block is made from the parts that this node sent. */
  function ownBlock(height: number, round: number): { block: Block; parts: PartSet } | undefined {
    const proposal = own.get(`proposal/${height}/${round}`)
    if (proposal?.kind !== 'proposal') return undefined
    const parts = partSetFromHeader(proposal.proposal.blockId.partSetHeader)
    for (let i = 0; i < parts.total; i++) {
      const part = own.get(`part/${height}/${round}/${i}`)
      if (part?.kind === 'blockPart') parts.addPart(part.part)
    }
    return { block: BlockSchema.decode(parts.bytes), parts }
  }

  // The machine's clock differs from the recorded clock, and no application makes extensions in this test. So the vote
  // gets its time and its extension from the recorded vote. All its other values must equal the recorded ones.
  function signVote(vote: Vote, withExtension: boolean): Vote | undefined {
    const same = own.get(nameOf({ kind: 'vote', vote }))
    if (same?.kind !== 'vote') return undefined
    if (!equalBlockIds(vote.blockId, same.vote.blockId)) throw new Error(`another vote than ${nameOf(same)}`)
    const signed = { ...vote, timestamp: same.vote.timestamp, extension: same.vote.extension }
    const { chainId } = machine.state.chain
    return {
      ...signed,
      signature: sign(key, voteSignBytes(chainId, signed)),
      extensionSignature: withExtension ? sign(key, voteExtensionSignBytes(chainId, signed)) : new Uint8Array(0),
    }
  }

  function signProposal(proposal: Proposal): Proposal | undefined {
    const same = own.get(nameOf({ kind: 'proposal', proposal }))
    if (same?.kind !== 'proposal') return undefined
    const signed = { ...proposal, timestamp: same.proposal.timestamp }
    return { ...signed, signature: sign(key, proposalSignBytes(machine.state.chain.chainId, signed)) }
  }

  async function answer(call: Call): Promise<Result> {
    const { chain, height, round } = machine.state
    switch (call.type) {
      case 'createProposalBlock':
        return { type: call.type, value: ownBlock(height, round) }
      case 'signProposal':
        return { type: call.type, value: signProposal(call.proposal) }
      case 'signVote':
        return { type: call.type, value: signVote(call.vote, call.withExtension) }
      case 'validateBlock':
        await validateBlock(chain, call.block, { verifyLastCommit })
        return { type: call.type, value: undefined }
      case 'processProposal':
      case 'verifyVoteExtension':
        return { type: call.type, value: true }
      case 'extendVote':
        return { type: call.type, value: new Uint8Array(0) }
      case 'commitBlock': {
        const stored = blockStore.loadBlockMeta(height)?.blockId
        if (stored === undefined || !equalBlockIds(stored, call.blockId)) throw new Error(`another block ${height}`)
        decided.push(height)
        return { type: call.type, value: { state: stateAfter(chain, call, home), publicKey } }
      }
    }
  }

  function perform(effect: Exclude<Effect, Call>): void {
    if (effect.type === 'own') sent.push(effect.message)
    if (effect.type === 'newStep') {
      entered.add(`${effect.height}/${effect.round}/${roundStepName(effect.step)}`)
      events.push(newRoundStepEvent(effect))
    }
    if (effect.type === 'publish') events.push(eventDataOf(effect.event))
    if (effect.type === 'conflictingVotes') conflicts++
    if (effect.type === 'halt') throw effect.error
  }

  async function feed(input: Input): Promise<void> {
    let effects = machine.step(input)
    for (;;) {
      const call = effects.find(isCall)
      for (const effect of effects) if (!isCall(effect)) perform(effect)
      if (call === undefined) return
      effects = machine.step({ type: 'result', time: input.time, result: await answer(call) })
    }
  }

  /**
   * Applies the blocks below `height`, which are read from the stores. These blocks came by block sync, so the WAL does
   * not have them.
   */
  async function catchUp(height: number, time: bigint): Promise<void> {
    let { chain } = machine.state
    for (let next = machine.state.height; next < height; next++) {
      const block = blockStore.loadBlock(next)
      if (block === undefined) throw new Error(`block ${next} is missing`)
      skipped.push(next)
      const { blockId } = makeBlockParts(block)
      chain = stateAfter(chain, { block, blockId }, home)
    }
    machine = begin(chain, time)
    await feed({ type: 'start', time })
  }

  // A machine enters the step NewHeight when it has decided the previous height. The machine of this test is created
  // after that decision, and does not report this step. So the test adds the step to `entered`, the list of the
  // reported steps.
  if (start.lastBlockHeight > 0) entered.add(`${machine.state.height}/0/${roundStepName(RoundStep.newHeight)}`)
  await feed({ type: 'start', time: records[0]?.time ?? 0n })
  for (const record of records) {
    const { time } = record
    const sum = record.msg?.sum
    if (sum?.case === 'eventDataRoundState') {
      const { height, round, step } = sum.value
      marks.add(`${height}/${round}/${step}`)
      if (height > machine.state.height) await catchUp(height, time)
      // The WAL does not record the input `txsAvailable`, which reports that transactions are available. The test feeds
      // this input when the recorded node left the step in which it waited for transactions.
      const waits = machine.state.step === RoundStep.newRound && machine.state.height === height
      if (step === 'RoundStepPropose' && waits) await feed({ type: 'txsAvailable', time })
    }
    const input = inputFromRecord(record)
    if (input?.type === 'timeout' && input.timeout.height > machine.state.height) {
      await catchUp(input.timeout.height, time)
    }
    if (input !== undefined) await feed(input)
  }
  return {
    recorded: [...own.values()],
    sent,
    marks: [...marks],
    entered: [...entered],
    decided,
    skipped,
    conflicts,
    events,
    machine,
  }
}
