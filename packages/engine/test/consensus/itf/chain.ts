import {
  ABSENT_COMMIT_SIG,
  type Block,
  type BlockId,
  copyIncrementProposerPriority,
  hashConsensusParams,
  hashValidators,
  makeBlock,
  makeBlockParts,
  type PartSet,
  proposerOf,
  type State,
  validatorByAddress,
  ZERO_BLOCK_ID,
} from '@org/types'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { type PublicKey, sha256 } from '@org/types/crypto'
import { makeFirstState } from '../../support/first-state.ts'

/** The time of the clock for all inputs. It never changes, because the trace decides when a timeout fires. */
export const NOW = 1_700_000_000_000_000_000n

export interface NamedBlock {
  readonly block: Block
  readonly parts: PartSet
  readonly blockId: BlockId
}

export interface Member {
  readonly publicKey: PublicKey
  readonly address: Uint8Array
  readonly index: number
}

/**
 * The validators and blocks that represent the validators and values of the Quint model (see `README.md` in this
 * folder).
 */
export interface Chain {
  readonly state: State
  readonly member: (name: string) => Member
  /**
   * Returns the block that represents this value of the Quint model at this height of the machine. The heights of the
   * machine begin at 1, and the heights of the model at 0.
   */
  readonly block: (value: string, height: number) => NamedBlock
  /** Returns the model's value that the block with this hash represents; `nil` for the empty hash. */
  readonly blockName: (hash: Uint8Array) => string
}

/**
 * Creates the chain. `names` are the names of the Quint model's validators, in the model's order: the second validator
 * proposes in round 0, the third one in round 1.
 */
export function createChain(names: readonly string[]): Chain {
  const { state: first } = makeFirstState({ chainId: 'itf', time: NOW, powers: names.map(() => 1n) })
  const set = first.validators
  // In the model, round 0 has the same proposer at each height. So the next height has this set without a rotation.
  const state = { ...first, nextValidators: set }
  const members = new Map(
    names.map((_, round) => {
      const rotated = round === 0 ? set : copyIncrementProposerPriority(set, round)
      const { address } = proposerOf(rotated) ?? { address: new Uint8Array(0) }
      const { index, validator } = validatorByAddress(set, address) ?? {}
      const member = { address, index: index ?? -1, publicKey: validator?.pubKey as PublicKey }
      return [names[(round + 1) % names.length] as string, member]
    }),
  )
  const blocks = new Map<string, NamedBlock>()
  const values = new Map([['', 'nil']])

  function block(value: string, height: number): NamedBlock {
    const known = blocks.get(`${height}/${value}`)
    if (known !== undefined) return known
    const made = makeBlock({
      height,
      txs: [utf8ToBytes(value)],
      lastCommit: commitOf(height - 1, names.length),
      evidence: [],
      header: {
        chainId: state.chainId,
        time: NOW,
        lastBlockId: ZERO_BLOCK_ID,
        validatorsHash: hashValidators(set),
        nextValidatorsHash: hashValidators(set),
        consensusHash: hashConsensusParams(state.consensusParams),
        appHash: state.appHash,
        proposerAddress: set.validators[0]?.address ?? new Uint8Array(0),
      },
    })
    const created = { block: made, ...makeBlockParts(made) }
    blocks.set(`${height}/${value}`, created)
    values.set(bytesToHex(created.blockId.hash), value)
    return created
  }

  return {
    state,
    member: (name) => members.get(name) as Member,
    block,
    blockName: (hash) => values.get(bytesToHex(hash)) ?? '?',
  }
}

/** Returns an object with the fields of a commit. No test reads their values. */
function commitOf(height: number, size: number) {
  if (height === 0) return { height, round: 0, blockId: ZERO_BLOCK_ID, signatures: [] }
  const hash = sha256(utf8ToBytes(`${height}`))
  const signatures = Array.from({ length: size }, () => ABSENT_COMMIT_SIG)
  return { height, round: 0, blockId: { hash, partSetHeader: { total: 1, hash } }, signatures }
}
