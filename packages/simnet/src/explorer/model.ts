import {
  BLOCK_PROTOCOL,
  type Block,
  type BlockId,
  copyIncrementProposerPriority,
  createValidator,
  createValidatorSet,
  defaultConsensusParams,
  hashConsensusParams,
  hashValidators,
  makeBlock,
  makeBlockParts,
  type PartSet,
  proposerOf,
  State,
  validatorByAddress,
} from '@org/types'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { generateEd25519, type PublicKey, publicKeyOf, sha256 } from '@org/types/crypto'

const CHAIN_ID = 'explorer'
/**
 * The clock reading of all inputs. Times do not matter in this search, because the explorer itself decides when a
 * timeout fires.
 */
export const NOW = 1_700_000_000_000_000_000n
const NO_COMMIT = {
  height: 0,
  round: 0,
  blockId: { hash: new Uint8Array(0), partSetHeader: { total: 0, hash: new Uint8Array(0) } },
  signatures: [],
}

export interface ModelBlock {
  /**
   * The name of the block. The messages of the explorer refer to the block by this name. For example, `a0` is the block
   * that the proposer of round 0 makes.
   */
  readonly name: string
  readonly block: Block
  readonly parts: PartSet
  readonly blockId: BlockId
}

/** The model of a chain's first height: its validators, proposers and possible blocks. */
export interface Model {
  readonly validators: number
  readonly powers: readonly number[]
  readonly chain: State
  readonly publicKeys: readonly PublicKey[]
  readonly addresses: readonly Uint8Array[]
  /** The index of the proposer by round. */
  readonly proposers: readonly number[]
  readonly block: (name: string) => ModelBlock
  /** Returns the name of a block by its hash; `nil` for the empty hash. */
  readonly nameOf: (hash: Uint8Array) => string
  /** Returns the name of a block by the hash of its parts. */
  readonly nameOfParts: (hash: Uint8Array) => string
}

/** Creates a model. The validators are in the order of the set: the greatest power first. */
export function createModel(powers: readonly number[], rounds: number): Model {
  const validators = powers.length
  const keys = Array.from({ length: validators }, (_, i) =>
    publicKeyOf(generateEd25519(new Uint8Array(32).fill(i + 1))),
  )
  const set = createValidatorSet(keys.map((key, i) => createValidator(key, BigInt(powers[i] as number))))
  const publicKeys = set.validators.map(({ pubKey }) => pubKey as PublicKey)
  const chain = State.create({
    version: { consensus: { block: BLOCK_PROTOCOL, app: 0n }, software: '' },
    chainId: CHAIN_ID,
    initialHeight: 1,
    lastBlockTime: NOW,
    validators: set,
    nextValidators: copyIncrementProposerPriority(set, 1),
    lastValidators: createValidatorSet([]),
    consensusParams: { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: 0 } },
    appHash: sha256(utf8ToBytes('0')),
  })
  const addresses = set.validators.map(({ address }) => address)
  const proposers = Array.from({ length: rounds }, (_, round) => {
    const rotated = round === 0 ? set : copyIncrementProposerPriority(set, round)
    return validatorByAddress(set, proposerOf(rotated)?.address ?? new Uint8Array(0))?.index ?? -1
  })
  const blocks = new Map<string, ModelBlock>()
  const names = new Map<string, string>([['', 'nil']])
  const partNames = new Map<string, string>()

  function block(name: string): ModelBlock {
    const known = blocks.get(name)
    if (known !== undefined) return known
    const made = makeBlock({
      height: 1,
      txs: [utf8ToBytes(name)],
      lastCommit: NO_COMMIT,
      evidence: [],
      header: {
        chainId: CHAIN_ID,
        time: NOW,
        lastBlockId: chain.lastBlockId,
        validatorsHash: hashValidators(chain.validators),
        nextValidatorsHash: hashValidators(chain.nextValidators),
        consensusHash: hashConsensusParams(chain.consensusParams),
        appHash: chain.appHash,
        proposerAddress: addresses[0] as Uint8Array,
      },
    })
    const created = { name, block: made, ...makeBlockParts(made) }
    blocks.set(name, created)
    names.set(bytesToHex(created.blockId.hash), name)
    partNames.set(bytesToHex(created.parts.header.hash), name)
    return created
  }

  return {
    validators,
    powers: set.validators.map(({ votingPower }) => Number(votingPower)),
    chain,
    publicKeys,
    addresses,
    proposers,
    block,
    nameOf: (hash) => names.get(bytesToHex(hash)) ?? '?',
    nameOfParts: (hash) => partNames.get(bytesToHex(hash)) ?? '?',
  }
}
