import {
  type Block,
  type BlockId,
  BlockIdFlag,
  type Commit,
  type CommitSig,
  commitToExtendedCommit,
  completeGenesis,
  defaultConsensusParams,
  type ExtendedCommit,
  type GenesisDoc,
  makeBlockParts,
  type PartSet,
  proposerOf,
  SignedMsgType,
  type State,
  type Validator,
  type Vote,
  voteSignBytes,
  ZERO_BLOCK_ID,
} from '@org/types'
import { ResponseCommit, ResponseFinalizeBlock, ResponseInitChain } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { addressOf, ed25519FromSecret, type PrivateKey, publicKeyOf, sign } from '@org/types/crypto'
import { applyInitChain } from '../../src/execution/handshake/init-chain.ts'
import { type ExecutionApp, makeGenesisState, makeNextBlock } from '../../src/execution/index.ts'
import { createBlockStore, createMemoryStore, createStateStore } from '../../src/store/index.ts'

const SECOND = 1_000_000_000n
export const CHAIN_ID = 'made'

export interface MadeBlock {
  readonly block: Block
  readonly parts: PartSet
  readonly blockId: BlockId
  /** The commit for this block: precommits of all validators. */
  readonly commit: Commit
}

/** Returns `count` keys for the validators of a chain; they are the same in each run. */
export function makeKeys(count: number): PrivateKey[] {
  return Array.from({ length: count }, (_, index) => ed25519FromSecret(utf8ToBytes(`validator ${index}`)))
}

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

export function keyOf(keys: readonly PrivateKey[], { address }: Validator): PrivateKey {
  const wanted = address.join()
  const key = keys.find((candidate) => addressOf(publicKeyOf(candidate)).join() === wanted)
  if (key === undefined) throw new Error('no key of this validator')
  return key
}

export function signVote(key: PrivateKey, vote: Omit<Vote, 'signature'>, chainId: string = CHAIN_ID): Vote {
  const unsigned: Vote = { ...vote, signature: new Uint8Array(0) }
  return { ...unsigned, signature: sign(key, voteSignBytes(chainId, unsigned)) }
}

export interface CommitWishes {
  readonly height: number
  readonly blockId: BlockId
  readonly validators: readonly Validator[]
  readonly time: bigint
  readonly round?: number
}

/** Precommits of all validators, each a millisecond after the one before. */
export function makeCommit(keys: readonly PrivateKey[], wishes: CommitWishes): Commit {
  const { height, blockId, validators, time, round = 0 } = wishes
  const signatures = validators.map((validator, validatorIndex): CommitSig => {
    const vote = signVote(keyOf(keys, validator), {
      type: SignedMsgType.precommit,
      height,
      round,
      blockId,
      timestamp: time + BigInt(validatorIndex) * 1_000_000n,
      validatorAddress: validator.address,
      validatorIndex,
      extension: new Uint8Array(0),
      extensionSignature: new Uint8Array(0),
    })
    const { signature, timestamp, validatorAddress } = vote
    return { blockIdFlag: BlockIdFlag.commit, validatorAddress, timestamp, signature }
  })
  return { height, round, blockId, signatures }
}

export const NO_COMMIT: Commit = { height: 0, round: 0, blockId: ZERO_BLOCK_ID, signatures: [] }
export const NO_EXTENDED_COMMIT: ExtendedCommit = commitToExtendedCommit(NO_COMMIT)

/** Makes the block after a state, and the commit that decides this block. */
export function makeBlockOn(
  state: State,
  keys: readonly PrivateKey[],
  { txs = [], lastCommit }: { readonly txs?: readonly Uint8Array[]; readonly lastCommit?: Commit } = {},
): MadeBlock {
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
