import { describe, expect, test } from 'vitest'
import {
  BLOCK_ERRORS,
  BlockIdFlag,
  blockIdKey,
  equalBlockIds,
  isBlockIdComplete,
  isBlockIdZero,
  ZERO_BLOCK_ID,
} from '../block-id/index.ts'
import { equalBytes, utf8ToBytes } from '../bytes/index.ts'
import {
  ABSENT_COMMIT_SIG,
  type Commit,
  commitToExtendedCommit,
  commitVote,
  extendedCommitToCommit,
  extendedCommitVote,
  voteToCommitSig,
  voteToExtendedCommitSig,
} from '../commit/index.ts'
import { generateEd25519, publicKeyOf, sha256, sign } from '../crypto/index.ts'
import { MAX_BLOCK_PARTS_COUNT, type Part, partSetFromHeader, validateTxsSize } from '../parts/index.ts'
import { copyIncrementProposerPriority, createValidator, createValidatorSet } from '../validators/index.ts'
import { SignedMsgType, verifyVoteAndExtension, voteExtensionSignBytes, voteSignBytes } from '../vote/index.ts'
import {
  Block,
  blockHashesTo,
  hashBlock,
  hashData,
  hashResults,
  makeBlock,
  makeBlockParts,
  medianTime,
  proveTx,
  proveTxs,
  validateBlockBasic,
  validateTxProof,
} from './index.ts'

const keys = [1, 2, 3].map((i) => generateEd25519(new Uint8Array(32).fill(i)))
const set = createValidatorSet(keys.map((key, i) => createValidator(publicKeyOf(key), BigInt(i + 1))))
const blockId = { hash: sha256(utf8ToBytes('a')), partSetHeader: { total: 2, hash: sha256(utf8ToBytes('b')) } }
const lastCommit: Commit = {
  height: 4,
  round: 0,
  blockId,
  signatures: set.validators.map(({ address }, i) => ({
    blockIdFlag: BlockIdFlag.commit,
    validatorAddress: address,
    timestamp: BigInt(100 * (i + 1)),
    signature: new Uint8Array(64),
  })),
}
const txs = ['a=1', 'b=2', 'c=3'].map(utf8ToBytes)
const header = {
  chainId: 'c',
  time: 5n,
  lastBlockId: blockId,
  validatorsHash: sha256(utf8ToBytes('v')),
  proposerAddress: new Uint8Array(20),
}
const block = makeBlock({ height: 5, txs, lastCommit, evidence: [], header })

describe('block', () => {
  test('default: a new block is valid, and reads back equal from its parts', () => {
    validateBlockBasic(block)
    const { parts, blockId: id } = makeBlockParts(block)
    expect(equalBytes(id.hash, hashBlock(block))).toBe(true)
    const received = partSetFromHeader(parts.header)
    for (const part of parts.parts) if (part !== undefined) received.addPart(part)
    expect(Block.decode(received.bytes)).toEqual(Block.decode(Block.encode(block)))
    expect(blockHashesTo(block, id.hash)).toBe(true)
    expect(blockHashesTo(block, new Uint8Array(0))).toBe(false)
    expect(hashBlock({ ...block, lastCommit: undefined })).toHaveLength(0)
  })

  test('default: a part set finds a missing part, and verifies its proof once', () => {
    const { parts } = makeBlockParts(block)
    const part = parts.part(0) as Part
    const received = partSetFromHeader(parts.header)
    let reads = 0
    const counted: Part = {
      ...part,
      get proof() {
        reads++
        return part.proof
      },
    }
    expect(received.isMissing({ ...part, index: parts.total })).toBe(false)
    const forged = { ...part, bytes: new Uint8Array(part.bytes.length) }
    expect(received.isMissing(forged)).toBe(false)
    expect(() => received.addPart(forged)).toThrow('error part set invalid proof')
    expect(received.isMissing(counted)).toBe(true)
    expect(() => received.addPart(forged)).toThrow('error part set invalid proof')
    const before = reads
    expect(received.addPart(counted)).toBe(true)
    expect([reads, received.isMissing(counted), received.count]).toEqual([before, false, 1])
  })

  test.each([
    ['no last commit', { lastCommit: undefined }, 'nil LastCommit'],
    [
      'another last commit',
      { lastCommit: { ...lastCommit, signatures: [ABSENT_COMMIT_SIG] } },
      /^wrong Header.LastCommitHash. Expected [0-9A-F]{64}, got/,
    ],
    ['a bad last commit', { lastCommit: { ...lastCommit, round: -1 } }, 'wrong LastCommit: negative Round'],
    ['other txs', { data: { txs: [] } }, /^wrong Header.DataHash/],
    ['a bad header', { header: { ...block.header, height: 0 } }, 'invalid header: zero Height'],
    [
      'another evidence hash',
      { header: { ...block.header, evidenceHash: new Uint8Array(32) } },
      /^wrong Header.EvidenceHash. Expected 0{64}/,
    ],
    [
      'unknown evidence',
      { evidence: { evidence: [{ sum: undefined }] } },
      'invalid evidence (#0): evidence is not recognized',
    ],
  ])('error: %s', (_, change, message) => {
    expect(() => validateBlockBasic({ ...block, ...change })).toThrow(message)
  })

  test('error: a header that claims more parts than a block can have is refused', () => {
    const total = MAX_BLOCK_PARTS_COUNT + 1
    expect(() => partSetFromHeader({ total, hash: new Uint8Array(32) })).toThrow(
      expect.objectContaining({ code: BLOCK_ERRORS.part }),
    )
    expect(() => partSetFromHeader(blockId.partSetHeader).bytes).toThrow('the part set is incomplete')
    expect(JSON.stringify(partSetFromHeader(blockId.partSetHeader))).toBe(
      '{"count/total":"0/2","parts_bit_array":"__"}',
    )
  })
})

describe('commit', () => {
  test('default: votes become entries and read back equal', () => {
    const vote = commitVote(lastCommit, 1)
    expect(voteToCommitSig(vote)).toEqual(lastCommit.signatures[1])
    expect(voteToCommitSig(undefined)).toEqual(ABSENT_COMMIT_SIG)
    expect(voteToCommitSig({ ...vote, blockId: ZERO_BLOCK_ID }).blockIdFlag).toBe(BlockIdFlag.nil)
    expect(() => voteToCommitSig({ ...vote, blockId: { ...blockId, hash: new Uint8Array(0) } })).toThrow(
      /either empty or/,
    )
    const extended = commitToExtendedCommit(lastCommit)
    expect(extendedCommitToCommit(extended)).toEqual(lastCommit)
    expect(voteToExtendedCommitSig(extendedCommitVote(extended, 1))).toEqual(extended.extendedSignatures[1])
  })

  test('default: a signed vote with an extension verifies', () => {
    const key = keys[0] as (typeof keys)[number]
    const unsigned = { ...commitVote(lastCommit, 0), validatorAddress: createValidator(publicKeyOf(key), 1n).address }
    const withExtension = { ...unsigned, extension: utf8ToBytes('x') }
    const vote = {
      ...withExtension,
      signature: sign(key, voteSignBytes('c', withExtension)),
      extensionSignature: sign(key, voteExtensionSignBytes('c', withExtension)),
    }
    verifyVoteAndExtension('c', publicKeyOf(key), vote)
    expect(() => verifyVoteAndExtension('d', publicKeyOf(key), vote)).toThrow('invalid signature')
    expect(() => verifyVoteAndExtension('c', publicKeyOf(generateEd25519()), vote)).toThrow('invalid validator address')
    const bare = { ...vote, extensionSignature: new Uint8Array(0) }
    expect(() => verifyVoteAndExtension('c', publicKeyOf(key), bare)).toThrow('expected vote extension signature')
    const prevote = { ...bare, type: SignedMsgType.prevote }
    const signed = { ...prevote, signature: sign(key, voteSignBytes('c', prevote)) }
    verifyVoteAndExtension('c', publicKeyOf(key), signed)
  })

  test('behavior: the median time is weighted by power', () => {
    // Validators with the powers 3, 2 and 1 voted at the times 100, 200 and 300. The first vote reaches half of the
    // total power of 6.
    expect(medianTime(lastCommit, set)).toBe(100n)
    const late = lastCommit.signatures.map((entry, i) => (i === 0 ? { ...entry, timestamp: 900n } : entry))
    expect(medianTime({ ...lastCommit, signatures: late }, copyIncrementProposerPriority(set, 1))).toBe(300n)
    const absent = lastCommit.signatures.map((entry, i) => (i === 0 ? ABSENT_COMMIT_SIG : entry))
    expect(medianTime({ ...lastCommit, signatures: absent }, set)).toBe(200n)
    const strange = [
      { ...(lastCommit.signatures[0] as Commit['signatures'][number]), validatorAddress: new Uint8Array(20) },
    ]
    expect(() => medianTime({ ...lastCommit, signatures: strange }, set)).toThrow(
      'commit validator not found in validator set: 0000000000000000000000000000000000000000',
    )
  })
})

describe('ids and data', () => {
  test('default: ids are classified, compared and printed as in the reference', () => {
    expect(isBlockIdComplete(blockId)).toBe(true)
    expect(isBlockIdZero(ZERO_BLOCK_ID)).toBe(true)
    expect(isBlockIdZero(blockId)).toBe(false)
    expect(equalBlockIds(blockId, { ...blockId, partSetHeader: { ...blockId.partSetHeader, total: 3 } })).toBe(false)
    expect(blockIdKey(blockId)).not.toBe(blockIdKey(ZERO_BLOCK_ID))
  })

  test('default: the proof of a transaction is valid only for its data hash', () => {
    for (const [index, tx] of txs.entries()) {
      const proof = proveTx(txs, index)
      expect(proveTxs(txs)(index)).toEqual(proof)
      expect(proof.data).toEqual(tx)
      validateTxProof(proof, hashData(txs))
      expect(() => validateTxProof(proof, new Uint8Array(32))).toThrow('proof matches different data hash')
      expect(() => validateTxProof({ ...proof, data: utf8ToBytes('?') }, hashData(txs))).toThrow(
        'proof is not internally consistent',
      )
    }
    expect(() => proveTx(txs, 3)).toThrow(expect.objectContaining({ code: BLOCK_ERRORS.txProof }))
  })

  test('default: the sizes of transactions are counted with tag and length', () => {
    validateTxsSize(txs, 15n)
    expect(() => validateTxsSize(txs, 14n)).toThrow('transaction data size exceeds maximum 14')
    expect(hashResults([])).toEqual(hashData([]))
  })
})
