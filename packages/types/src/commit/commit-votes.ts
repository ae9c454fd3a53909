import { fingerprint, isBlockIdComplete, isBlockIdZero, ZERO_BLOCK_ID } from '../block-id/block-id.ts'
import { BLOCK_ERRORS, BlockError } from '../block-id/errors.ts'
import { type BlockId, BlockIdFlag } from '../block-id/id.ts'
import { hashFromByteSlices } from '../merkle/tree.ts'
import { formatTime, ZERO_TIME } from '../time/index.ts'
import { SignedMsgType, type Vote } from '../vote/wire.ts'
import { type Commit, CommitSig, type ExtendedCommit, type ExtendedCommitSig } from './commit.ts'

/** The commit entry of a validator that did not vote. */
export const ABSENT_COMMIT_SIG: CommitSig = CommitSig.create({ blockIdFlag: BlockIdFlag.absent, timestamp: ZERO_TIME })
/** The entry of a validator without a vote in an extended commit. */
export const ABSENT_EXTENDED_COMMIT_SIG: ExtendedCommitSig = {
  ...ABSENT_COMMIT_SIG,
  extension: new Uint8Array(0),
  extensionSignature: new Uint8Array(0),
}

const hashes = new WeakMap<readonly CommitSig[], Uint8Array>()

/** Returns the Merkle root over the signatures of the commit. */
export function hashCommit(commit: Commit): Uint8Array {
  let hash = hashes.get(commit.signatures)
  if (hash === undefined) {
    hash = hashFromByteSlices(commit.signatures.map((signature) => CommitSig.encode(signature)))
    hashes.set(commit.signatures, hash)
  }
  return hash
}

const invalid = (message: string): BlockError => new BlockError(BLOCK_ERRORS.commit, message)

/** Returns the block id for which the validator of an entry voted. Throws {@link BlockError} on an unknown flag. */
export function commitSigBlockId(signature: Pick<CommitSig, 'blockIdFlag'>, commitBlockId: BlockId): BlockId {
  switch (signature.blockIdFlag) {
    case BlockIdFlag.commit:
      return commitBlockId
    case BlockIdFlag.absent:
    case BlockIdFlag.nil:
      return ZERO_BLOCK_ID
    default:
      throw invalid(`Unknown BlockIDFlag: ${signature.blockIdFlag}`)
  }
}

type VotedCommit = Pick<Commit, 'height' | 'round' | 'blockId'>

const NONE = new Uint8Array(0)

function precommitOf({ height, round, blockId }: VotedCommit, index: number, signature: CommitSig): Vote {
  return {
    type: SignedMsgType.precommit,
    height,
    round,
    blockId: commitSigBlockId(signature, blockId),
    timestamp: signature.timestamp,
    validatorAddress: signature.validatorAddress,
    validatorIndex: index,
    signature: signature.signature,
    extension: NONE,
    extensionSignature: NONE,
  }
}

/** Returns the precommit that the entry at `index` represents. */
export function commitVote(commit: Commit, index: number): Vote {
  return precommitOf(commit, index, commit.signatures[index] as CommitSig)
}

/** Returns the precommit that the entry at `index` represents, with its vote extension. */
export function extendedCommitVote(commit: ExtendedCommit, index: number): Vote {
  const signature = commit.extendedSignatures[index] as ExtendedCommitSig
  const { extension, extensionSignature } = signature
  return { ...precommitOf(commit, index, signature), extension, extensionSignature }
}

/** Makes the entry of a commit from a precommit; `undefined` makes the entry of an absent validator. */
export function voteToCommitSig(vote: Vote | undefined): CommitSig {
  if (vote === undefined) return ABSENT_COMMIT_SIG
  const complete = isBlockIdComplete(vote.blockId)
  if (!complete && !isBlockIdZero(vote.blockId)) {
    throw invalid('expected the BlockID of a vote to be either empty or complete')
  }
  return {
    blockIdFlag: complete ? BlockIdFlag.commit : BlockIdFlag.nil,
    validatorAddress: vote.validatorAddress,
    timestamp: vote.timestamp,
    signature: vote.signature,
  }
}

/** Makes the entry of an extended commit from a precommit; `undefined` makes the entry of an absent validator. */
export function voteToExtendedCommitSig(vote: Vote | undefined): ExtendedCommitSig {
  if (vote === undefined) return ABSENT_EXTENDED_COMMIT_SIG
  return { ...voteToCommitSig(vote), extension: vote.extension, extensionSignature: vote.extensionSignature }
}

/** Returns the commit without the vote extensions. */
export function extendedCommitToCommit(commit: ExtendedCommit): Commit {
  const { height, round, blockId } = commit
  const signatures = commit.extendedSignatures.map(({ blockIdFlag, validatorAddress, timestamp, signature }) => {
    return { blockIdFlag, validatorAddress, timestamp, signature }
  })
  return { height, round, blockId, signatures }
}

/** Returns the commit in the extended form, with empty vote extensions. */
export function commitToExtendedCommit(commit: Commit): ExtendedCommit {
  const { height, round, blockId } = commit
  const none = { extension: new Uint8Array(0), extensionSignature: new Uint8Array(0) }
  return { height, round, blockId, extendedSignatures: commit.signatures.map((entry) => ({ ...entry, ...none })) }
}

/** Returns the text that the reference shows in its errors for an entry of a commit. */
export function formatCommitSig(entry: CommitSig): string {
  const { signature, validatorAddress, blockIdFlag, timestamp } = entry
  return `CommitSig{${fingerprint(signature)} by ${fingerprint(validatorAddress)} on ${blockIdFlag} @ ${formatTime(timestamp)}}`
}
