import {
  byzantineValidators,
  type DuplicateVoteEvidence,
  duplicateVoteEvidence,
  type Evidence,
  type Header,
  hashHeader,
  type LightClientAttackEvidence,
  makeDuplicateVoteEvidence,
  SignedMsgType,
  type State,
  totalVotingPower,
  type ValidatorSet,
  type Vote,
} from '@org/types'
import { publicKeyOf, sha256 } from '@org/types/crypto'
import { type ProvenBlock, stateFromBlocks } from '../../src/execution/index.ts'
import { plainExecutor } from '../execution/plain-executor.ts'
import * as testChain from '../execution/test-chain.ts'

/** The chain of the nodes from which another node fetches headers. */
export interface SourceChain {
  readonly stores: ReturnType<typeof testChain.memoryStores>
  readonly blocks: ReadonlyMap<number, testChain.TestBlock>
  /** The block of a height as an honest server sends it. */
  readonly proven: (height: number) => ProvenBlock
  /** The state before the first block. */
  readonly stateBefore: State
  /** The state after a block. */
  readonly stateAfter: (height: number) => State
  /** The state after a block, as state sync makes it from verified blocks. */
  readonly restored: (height: number) => State
  /** Evidence that the first validator of a height signed two blocks. */
  readonly doubleSign: (height: number) => Evidence
  /** Evidence that all validators of a height signed another header of this height, to deceive light clients. */
  readonly lightAttack: (attack: LightAttack) => Evidence
}

export interface LightAttack {
  /** The height of the header that the light client trusts. */
  readonly common: number
  /** The height of the false header. */
  readonly height: number
  /** The fields in which the false header differs from the header of the chain. */
  readonly changes: Partial<Header>
  /** The round of the false commit. The round of each commit of the chain is 0. */
  readonly round?: number
}

export interface SourceOptions {
  readonly heights: number
  /** The heights whose blocks add one more validator each. */
  readonly additions?: readonly number[]
  readonly evidenceAge?: { readonly blocks: bigint; readonly seconds: bigint }
}

const SECOND = 1_000_000_000n
const FIRST_KEYS = 3

/** Makes a chain that begins at height 1. The time between two blocks is a little more than a second. */
export async function makeSourceChain({ heights, additions = [], evidenceAge }: SourceOptions): Promise<SourceChain> {
  const keys = testChain.makeKeys(FIRST_KEYS + additions.length)
  const plain = testChain.makeGenesis(keys.slice(0, FIRST_KEYS))
  const { consensusParams } = plain
  const genesis = testChain.makeGenesis(keys.slice(0, FIRST_KEYS), {
    consensusParams: {
      ...consensusParams,
      evidence: {
        ...consensusParams.evidence,
        ...(evidenceAge && { maxAgeNumBlocks: evidenceAge.blocks, maxAgeDuration: evidenceAge.seconds * SECOND }),
      },
    },
  })
  const agreeable = testChain.agreeableApp()
  const app = testChain.agreeableApp({
    finalizeBlock: async (request) => {
      const place = additions.indexOf(request.height)
      const key = keys[FIRST_KEYS + place]
      const validatorUpdates = place < 0 || key === undefined ? [] : [{ pubKey: publicKeyOf(key), power: 10n }]
      return { ...(await agreeable.finalizeBlock(request)), validatorUpdates }
    },
  })
  const stores = testChain.memoryStores()
  const executor = plainExecutor(stores, { app })
  let state = testChain.genesisState(genesis)
  await stores.stateStore.save(state)
  const stateBefore = state
  const blocks = new Map<number, testChain.TestBlock>()
  const states = new Map<number, State>()
  for (let height = 1; height <= heights; height++) {
    const lastCommit = blocks.get(height - 1)?.commit
    const block = testChain.makeBlockOn(state, keys, lastCommit === undefined ? {} : { lastCommit })
    const saving = {
      'save-block': () =>
        stores.blockStore.saveBlock({ block: block.block, parts: block.parts, seenCommit: block.commit }),
    }
    state = await executor.applyBlock({ state, block: block.block, blockId: block.blockId, steps: saving })
    await executor.durable()
    blocks.set(height, block)
    states.set(height, state)
  }

  const at = (height: number): testChain.TestBlock => blocks.get(height) as testChain.TestBlock
  const proven = (height: number): ProvenBlock => {
    const { block, commit } = at(height)
    return { header: block.header, commit, validators: stores.stateStore.loadValidators(height) }
  }
  return {
    stores,
    blocks,
    proven,
    stateBefore,
    stateAfter: (height) => states.get(height) as State,
    restored: (height) =>
      stateFromBlocks(
        { last: proven(height), current: proven(height + 1), next: proven(height + 2) },
        { initialHeight: 1, consensusParams: genesis.consensusParams },
      ),
    doubleSign: (height) => {
      const { block, blockId } = at(height)
      const validators = stores.stateStore.loadValidators(height)
      return makeDoubleSign({ header: block.header, validators }, keys, blockId)
    },
    lightAttack: (attack) => {
      const [common, trusted] = [proven(attack.common), proven(attack.height)]
      return makeLightAttack({ common, trusted }, keys, attack)
    },
  }
}

function makeLightAttack(
  { common, trusted }: { readonly common: ProvenBlock; readonly trusted: ProvenBlock },
  keys: ReturnType<typeof testChain.makeKeys>,
  { height, changes, round = 0 }: LightAttack,
): Evidence {
  const header: Header = { ...trusted.header, ...changes }
  const hash = hashHeader(header)
  const { validators } = trusted
  const blockId = { hash, partSetHeader: { total: 1, hash } }
  const signed = { height, round, blockId, validators: validators.validators, time: header.time }
  const value: LightClientAttackEvidence = {
    conflictingBlock: {
      signedHeader: { header, commit: testChain.makeCommit(keys, signed) },
      validatorSet: validators,
    },
    commonHeight: common.header.height,
    byzantineValidators: [],
    totalVotingPower: totalVotingPower(common.validators),
    timestamp: common.header.time,
  }
  const guilty = byzantineValidators(value, common.validators, trusted)
  return { sum: { case: 'lightClientAttackEvidence', value: { ...value, byzantineValidators: [...guilty] } } }
}

function makeDoubleSign(
  { header, validators }: { readonly header: Header; readonly validators: ValidatorSet },
  keys: ReturnType<typeof testChain.makeKeys>,
  blockId: testChain.TestBlock['blockId'],
): Evidence {
  const [validator] = validators.validators
  if (validator === undefined) throw new Error('the height has no validators')
  const precommit = (hash: Uint8Array): Vote =>
    testChain.signVote(testChain.keyOf(keys, validator), {
      type: SignedMsgType.precommit,
      height: header.height,
      round: 0,
      blockId: { ...blockId, hash },
      timestamp: header.time,
      validatorAddress: validator.address,
      validatorIndex: 0,
      extension: new Uint8Array(0),
      extensionSignature: new Uint8Array(0),
    })
  const pair: DuplicateVoteEvidence = makeDuplicateVoteEvidence(
    precommit(blockId.hash),
    precommit(sha256(blockId.hash)),
    {
      blockTime: header.time,
      validators,
    },
  )
  return duplicateVoteEvidence(pair)
}
