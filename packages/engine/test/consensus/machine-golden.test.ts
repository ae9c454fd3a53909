import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recording, recordingLines, unpackHome } from '@org/golden'
import { equalBlockIds, makeBlockParts } from '@org/types/block'
import { TimedWalMessage } from '@org/types/consensus'
import { publicKeyOf, sign } from '@org/types/crypto'
import { parseGenesis } from '@org/types/genesis'
import type { Json } from '@org/types/schema'
import type { State } from '@org/types/state'
import { formatTime } from '@org/types/time'
import { type Proposal, proposalSignBytes, type Vote, voteSignBytes } from '@org/types/vote'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roundStateSimpleToJson, roundStateToJson } from '../../src/consensus/driver/index.ts'
import { inputFromRecord } from '../../src/consensus/driver/records.ts'
import {
  type Call,
  type ConsensusMessage,
  createMachine,
  DEFAULT_MACHINE_OPTIONS,
  type Effect,
  isCall,
  type Machine,
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

const MS = 1_000_000n
const OPTIONS = {
  ...DEFAULT_MACHINE_OPTIONS,
  timeoutPropose: 400n * MS,
  timeoutProposeDelta: 100n * MS,
  timeoutPrevote: 200n * MS,
  timeoutPrecommit: 200n * MS,
  timeoutCommit: 200n * MS,
  createEmptyBlocks: false,
}

let home = ''
let dbs: KeyValueStore[] = []
let blockStore: BlockStore
let stateStore: StateStore
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'machine-golden-'))
  await unpackHome('kvstore-single/home.tar.gz', home)
  dbs = [await openLevelStore(join(home, 'data/blockstore.db')), await openLevelStore(join(home, 'data/state.db'))]
  blockStore = createBlockStore({}, { db: dbs[0] as KeyValueStore })
  stateStore = createStateStore({}, { db: dbs[1] as KeyValueStore })
})
afterAll(async () => {
  for (const db of dbs) await db.close()
  rmSync(home, { recursive: true })
})

function readRecords(bytes: Uint8Array): TimedWalMessage[] {
  const records: TimedWalMessage[] = []
  for (let offset = 0; ; ) {
    const read = readFrame(bytes, offset)
    if (read.kind !== 'frame') return records
    records.push(TimedWalMessage.decode(read.data))
    offset = read.next
  }
}

/** The state after InitChain: the first block's header has what the application answered. */
function firstState(): State {
  const state = makeGenesisState(parseGenesis(readFileSync(join(home, 'config/genesis.json'), 'utf8')))
  const header = blockStore.loadBlockMeta(1)?.header
  if (header === undefined) throw new Error('block 1 is missing')
  const consensus = { ...state.version.consensus, app: header.version.app }
  return {
    ...state,
    appHash: header.appHash,
    lastResultsHash: header.lastResultsHash,
    version: { ...state.version, consensus },
  }
}

interface Exchange {
  readonly request: { readonly path: string }
  readonly response: { readonly body: string }
}

function answered(route: string): { readonly [key: string]: Json } {
  const exchanges = recordingLines<Exchange>('kvstore-single/answers.jsonl')
  const { response } = exchanges.find(({ request }) => request.path === `/${route}`) as Exchange
  return JSON.parse(response.body).result.round_state
}

function expectSameText(got: Json, wanted: Json): void {
  expect(JSON.stringify(got)).toBe(JSON.stringify(wanted))
}

describe('the recorded WAL', () => {
  it('default: the machine says, signs, enters and decides what the reference did', async () => {
    const records = readRecords(recording('wal/wal'))
    const key = loadKeyFile(join(home, 'config/priv_validator_key.json'))
    const state = firstState()
    const { chainId } = state
    const verifyLastCommit = createCommitVerifier({})
    const recorded = records.flatMap((record) => {
      const input = inputFromRecord(record)
      return input?.type === 'message' ? [input.message] : []
    })
    const votes = recorded.flatMap((message) => (message.kind === 'vote' ? [message.vote] : []))
    const proposals = recorded.flatMap((message) => (message.kind === 'proposal' ? [message.proposal] : []))
    const said: ConsensusMessage[] = []
    const entered: string[] = []
    const decided: number[] = []
    const machine: Machine = createMachine(OPTIONS, {
      chain: state,
      lastCommit: undefined,
      lastHeaderAppHash: undefined,
      publicKey: publicKeyOf(key),
      time: records[0]?.time ?? 0n,
    })

    async function answer(call: Call): Promise<Result> {
      const { chain } = machine.state
      switch (call.type) {
        case 'createProposalBlock': {
          const block = blockStore.loadBlock(call.height)
          if (block === undefined) throw new Error(`block ${call.height} is missing`)
          return { type: call.type, value: { block, ...makeBlockParts(block) } }
        }
        case 'signProposal': {
          // The machine's clock is not the recorded one's; all else must be equal.
          const { timestamp } = proposals.find(
            ({ height, round }) => height === call.proposal.height && round === call.proposal.round,
          ) as Proposal
          const proposal = { ...call.proposal, timestamp }
          return { type: call.type, value: { ...proposal, signature: sign(key, proposalSignBytes(chainId, proposal)) } }
        }
        case 'signVote': {
          const { type, height, round, blockId } = call.vote
          const same = votes.find(
            (vote) => vote.type === type && vote.height === height && vote.round === round,
          ) as Vote
          expect(equalBlockIds(blockId, same.blockId)).toBe(true)
          const vote = { ...call.vote, timestamp: same.timestamp }
          return { type: call.type, value: { ...vote, signature: sign(key, voteSignBytes(chainId, vote)) } }
        }
        case 'validateBlock':
          await validateBlock(chain, call.block, { verifyLastCommit })
          return { type: call.type, value: undefined }
        case 'processProposal':
          return { type: call.type, value: true }
        case 'commitBlock': {
          const { height } = call.block.header
          decided.push(height)
          expect(equalBlockIds(call.blockId, blockStore.loadBlockMeta(height)?.blockId as typeof call.blockId)).toBe(
            true,
          )
          const response = await stateStore.loadFinalizeBlockResponse(height)
          if (response === undefined) throw new Error(`no response of height ${height}`)
          const validatorUpdates = validatorsFromUpdates(response.validatorUpdates, chain.consensusParams)
          const next = updateState(chain, {
            blockId: call.blockId,
            header: call.block.header,
            response,
            validatorUpdates,
          })
          return {
            type: call.type,
            value: { state: { ...next, appHash: response.appHash }, publicKey: publicKeyOf(key) },
          }
        }
        default:
          throw new Error(`unexpected call ${call.type}`)
      }
    }

    function perform(effect: Exclude<Effect, Call>): void {
      if (effect.type === 'own') said.push(effect.message)
      if (effect.type === 'newStep') entered.push(`${effect.height}/${effect.round}/${roundStepName(effect.step)}`)
      if (effect.type === 'halt') throw effect.error
    }

    async function feed(input: Parameters<Machine['step']>[0]): Promise<void> {
      let effects = machine.step(input)
      for (let again = true; again; ) {
        again = false
        for (const effect of effects) {
          if (!isCall(effect)) {
            perform(effect)
            continue
          }
          effects = machine.step({ type: 'result', time: input.time, result: await answer(effect) })
          again = true
          break
        }
      }
    }

    await feed({ type: 'start', time: records[0]?.time ?? 0n })
    const marks: string[] = []
    for (const record of records) {
      const sum = record.msg?.sum
      if (sum?.case === 'eventDataRoundState') {
        const { height, round, step } = sum.value
        marks.push(`${height}/${round}/${step}`)
        // That transactions came is the one input that the WAL does not have.
        const waits = machine.state.step === RoundStep.newRound && machine.state.height === height
        if (step === 'RoundStepPropose' && waits) await feed({ type: 'txsAvailable', time: record.time })
      }
      const input = inputFromRecord(record)
      if (input !== undefined) await feed(input)
    }

    expect(said).toEqual(recorded)
    expect(decided).toEqual(Array.from({ length: 75 }, (_, i) => i + 1))
    // The reference writes marks with its own timing: the precommit wait has no step of its own, and shows as one more Precommit.
    expect(entered).toEqual(marks)

    // The recorded answers are of a node that was restarted here: its times are others.
    expectSameText(roundStateSimpleToJson(machine.state), {
      ...answered('consensus_state'),
      start_time: formatTime(machine.state.startTime),
    })
    expectSameText(roundStateToJson(machine.state), {
      ...answered('dump_consensus_state'),
      start_time: formatTime(machine.state.startTime),
      commit_time: formatTime(machine.state.commitTime as bigint),
    })
  })
})
