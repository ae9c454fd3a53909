import type { LightBlock } from '@org/light'
import {
  BLOCK_PROTOCOL,
  type BlockId,
  BlockIdFlag,
  createValidator,
  createValidatorSet,
  type Header,
  hashHeader,
  hashValidators,
  SignedMsgType,
  voteSignBytes,
  ZERO_BLOCK_ID,
} from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { ed25519FromSecret, publicKeyOf, sha256, sign } from '@org/types/crypto'

export const CHAIN_ID = 'made'
export const SECOND = 1_000_000_000n
/** The time of the chain at height 0. The first block is one second later. */
const START = 1_700_000_000n * SECOND

/** Returns the time of a block of a made chain: one second for each height. */
export const timeAt = (height: number): bigint => START + BigInt(height) * SECOND

const keys = ['one', 'two', 'three'].map((name) => ed25519FromSecret(utf8ToBytes(name)))
const validators = createValidatorSet(keys.map((key) => createValidator(publicKeyOf(key), 10n)))
const keyOf = new Map(keys.map((key) => [createValidator(publicKeyOf(key), 1n).address.join(), key]))
const hash = (text: string): Uint8Array => sha256(utf8ToBytes(text))

function makeBlock(height: number, lastBlockId: BlockId): LightBlock {
  const header: Header = {
    ...{ version: { block: BLOCK_PROTOCOL, app: 0n }, chainId: CHAIN_ID, height, time: timeAt(height), lastBlockId },
    ...{ lastCommitHash: hash('commit'), dataHash: hash('data'), consensusHash: hash('parameters') },
    ...{ validatorsHash: hashValidators(validators), nextValidatorsHash: hashValidators(validators) },
    ...{ appHash: hash('app'), lastResultsHash: hash('results'), evidenceHash: hash('evidence') },
    proposerAddress: validators.validators[0]?.address as Uint8Array,
  }
  const blockId: BlockId = { hash: hashHeader(header), partSetHeader: { total: 1, hash: hash('parts') } }
  const none = new Uint8Array(0)
  const signatures = validators.validators.map(({ address }, validatorIndex) => {
    const vote = {
      ...{ type: SignedMsgType.precommit, height, round: 0, blockId, timestamp: header.time },
      ...{ validatorAddress: address, validatorIndex, signature: none, extension: none, extensionSignature: none },
    }
    const signature = sign(keyOf.get(address.join()) as (typeof keys)[number], voteSignBytes(CHAIN_ID, vote))
    return { blockIdFlag: BlockIdFlag.commit, validatorAddress: address, timestamp: header.time, signature }
  })
  return { header, commit: { height, round: 0, blockId, signatures }, validators }
}

/** Makes a chain of linked blocks with three validators. */
export function makeBlocks(to: number): ReadonlyMap<number, LightBlock> {
  const blocks = new Map<number, LightBlock>()
  let last = ZERO_BLOCK_ID
  for (let height = 1; height <= to; height++) {
    const block = makeBlock(height, last)
    blocks.set(height, block)
    last = block.commit.blockId
  }
  return blocks
}
