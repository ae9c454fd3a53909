import * as testKit from '@org/test-kit'
import { type CommitParts, NO_COMMIT } from '@org/test-kit'
import {
  type Block,
  type BlockId,
  type Commit,
  commitToExtendedCommit,
  completeGenesis,
  defaultConsensusParams,
  type ExtendedCommit,
  type GenesisDoc,
  makeBlockParts,
  type PartSet,
  proposerOf,
  type State,
  type Validator,
  type Vote,
} from '@org/types'
import { ResponseCommit, ResponseFinalizeBlock, ResponseInitChain } from '@org/types/abci'
import { addressOf, type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { applyInitChain } from '../../src/execution/handshake/init-chain.ts'
import { type ExecutionApp, makeGenesisState, makeNextBlock } from '../../src/execution/index.ts'
import { createBlockStore, createMemoryStore, createStateStore } from '../../src/store/index.ts'

const SECOND = 1_000_000_000n
export const CHAIN_ID = 'made'

export interface TestBlock {
  readonly block: Block
  readonly parts: PartSet
  readonly blockId: BlockId
  /** The commit for this block: precommits of all validators. */
  readonly commit: Commit
}

/** Returns `count` keys for the validators of a chain; they are the same in each run. */
export const makeKeys = (count: number): PrivateKey[] => testKit.makeKeys(count, 'validator')

export function makeGenesis(keys: readonly PrivateKey[], changes: Partial<GenesisDoc> = {}): GenesisDoc {
  return completeGenesis({
    genesisTime: 1_700_000_000n * SECOND,
    chainId: CHAIN_ID,
    initialHeight: 1,
    consensusParams: defaultConsensusParams(),
    validators: keys.map((key) => {
      const pubKey = publicKeyOf(key)
      return { address: addressOf(pubKey), pubKey, power: 10n, name: '' }
    }),
    appHash: new Uint8Array(0),
    appState: '',
    ...changes,
  })
}

export function genesisState(genesis: GenesisDoc): State {
  return applyInitChain(makeGenesisState(genesis), genesis, ResponseInitChain.create())
}

export function keyOf(keys: readonly PrivateKey[], validator: Validator): PrivateKey {
  return testKit.keyFinder(keys)(validator)
}

export function signVote(key: PrivateKey, vote: Omit<Vote, 'signature'>, chainId: string = CHAIN_ID): Vote {
  return testKit.signVote(key, vote, chainId)
}

/** Precommits of all validators, each a millisecond after the one before. */
export function makeCommit(keys: readonly PrivateKey[], parts: Omit<CommitParts, 'chainId'>): Commit {
  return testKit.makeCommit(keys, { ...parts, chainId: CHAIN_ID })
}

export const NO_EXTENDED_COMMIT: ExtendedCommit = commitToExtendedCommit(NO_COMMIT)

/** Makes the block after a state, and the commit that decides this block. */
export function makeBlockOn(
  state: State,
  keys: readonly PrivateKey[],
  { txs = [], lastCommit }: { readonly txs?: readonly Uint8Array[]; readonly lastCommit?: Commit } = {},
): TestBlock {
  const height = state.lastBlockHeight === 0 ? state.initialHeight : state.lastBlockHeight + 1
  const proposerAddress = (proposerOf(state.validators) as Validator).address
  const block = makeNextBlock(state, {
    height,
    txs,
    lastCommit: lastCommit ?? NO_COMMIT,
    evidence: [],
    proposerAddress,
  })
  const { parts, blockId } = makeBlockParts(block)
  const commit = makeCommit(keys, {
    height,
    blockId,
    validators: state.validators.validators,
    time: block.header.time + SECOND,
  })
  return { block, parts, blockId, commit }
}

/** An application that accepts everything. The app hash after a block is the height of the block. */
export function agreeableApp(changes: Partial<ExecutionApp> = {}): ExecutionApp {
  const app: ExecutionApp = {
    prepareProposal: ({ txs }) => Promise.resolve({ txs }),
    processProposal: () => Promise.resolve({ status: 1 }),
    extendVote: () => Promise.resolve({ voteExtension: new Uint8Array(0) }),
    verifyVoteExtension: () => Promise.resolve({ status: 1 }),
    finalizeBlock: ({ txs, height }) =>
      Promise.resolve(
        ResponseFinalizeBlock.create({
          txResults: txs.map((tx) => ({
            code: 0,
            data: tx,
            log: '',
            info: '',
            gasWanted: 0n,
            gasUsed: 0n,
            events: [],
            codespace: '',
          })),
          appHash: Uint8Array.of(height),
        }),
      ),
    commit: () => Promise.resolve(ResponseCommit.create()),
  }
  return { ...app, ...changes }
}

export function memoryStores() {
  return {
    stateStore: createStateStore({}, { db: createMemoryStore() }),
    blockStore: createBlockStore({}, { db: createMemoryStore() }),
  }
}
