import { isBlockIdZero } from '../block-id/block-id.ts'
import { BLOCK_ERRORS, BlockError, wrapBlockError } from '../block-id/errors.ts'
import { type BlockId, BlockIdFlag } from '../block-id/id.ts'
import { bytesToHex } from '../bytes/index.ts'
import { ADDRESS_SIZE, MAX_SIGNATURE_SIZE } from '../crypto/keys.ts'
import { formatTime, type Time, ZERO_TIME } from '../time/index.ts'
import type { Commit, CommitSig, ExtendedCommit, ExtendedCommitSig } from './commit.ts'

/** The maximum number of bytes of a vote extension. */
export const MAX_VOTE_EXTENSION_SIZE: number = 1024 * 1024

const invalid = (message: string): BlockError => new BlockError(BLOCK_ERRORS.commit, message)

/** Throws {@link BlockError} on a commit signature that is not well formed. */
export function validateCommitSigBasic(entry: CommitSig): void {
  const { blockIdFlag, validatorAddress, timestamp, signature } = entry
  if (blockIdFlag !== BlockIdFlag.absent && blockIdFlag !== BlockIdFlag.commit && blockIdFlag !== BlockIdFlag.nil) {
    throw invalid(`unknown BlockIDFlag: ${blockIdFlag}`)
  }
  if (blockIdFlag === BlockIdFlag.absent) {
    if (validatorAddress.length !== 0) throw invalid('validator address is present')
    if (timestamp !== ZERO_TIME) throw invalid('time is present')
    if (signature.length !== 0) throw invalid('signature is present')
    return
  }
  if (validatorAddress.length !== ADDRESS_SIZE) {
    throw invalid(`expected ValidatorAddress size to be ${ADDRESS_SIZE} bytes, got ${validatorAddress.length} bytes`)
  }
  if (signature.length === 0) throw invalid('signature is missing')
  if (signature.length > MAX_SIGNATURE_SIZE) throw invalid(`signature is too big (max: ${MAX_SIGNATURE_SIZE})`)
}

/** Throws {@link BlockError} on an entry of an extended commit that is not well formed. */
export function validateExtendedCommitSigBasic(entry: ExtendedCommitSig): void {
  validateCommitSigBasic(entry)
  const { blockIdFlag, extension, extensionSignature } = entry
  if (blockIdFlag === BlockIdFlag.commit) {
    if (extension.length > MAX_VOTE_EXTENSION_SIZE) {
      throw invalid(`vote extension is too big (max: ${MAX_VOTE_EXTENSION_SIZE})`)
    }
    if (extensionSignature.length > MAX_SIGNATURE_SIZE) {
      throw invalid(`vote extension signature is too big (max: ${MAX_SIGNATURE_SIZE})`)
    }
  } else if (extensionSignature.length === 0 && extension.length !== 0) {
    throw invalid('vote extension signature absent on vote with extension')
  }
}

interface CommitHead {
  readonly height: number
  readonly round: number
  readonly blockId: BlockId
}

/**
 * Checks all fields of a commit except its entries. Returns true if the entries must be checked too. Returns false for
 * a commit of height 0, which is the empty commit in the first block.
 */
function checkHead(commit: CommitHead, entries: number, name: string): boolean {
  if (commit.height < 0) throw invalid('negative Height')
  if (commit.round < 0) throw invalid('negative Round')
  if (commit.height === 0) return false
  if (isBlockIdZero(commit.blockId)) throw invalid(`${name} cannot be for nil block`)
  if (entries === 0) throw invalid('no signatures in commit')
  return true
}

/** Throws {@link BlockError} on a commit that is not well formed. Signatures are not verified. */
export function validateCommitBasic(commit: Commit): void {
  if (!checkHead(commit, commit.signatures.length, 'commit')) return
  let index = 0
  try {
    for (; index < commit.signatures.length; index++) validateCommitSigBasic(commit.signatures[index] as CommitSig)
  } catch (cause) {
    wrapBlockError(BLOCK_ERRORS.commit, `wrong CommitSig #${index}`, () => {
      throw cause
    })
  }
}

/** Throws {@link BlockError} on an extended commit that is not well formed. Signatures are not verified. */
export function validateExtendedCommitBasic(commit: ExtendedCommit): void {
  if (!checkHead(commit, commit.extendedSignatures.length, 'extended commit')) return
  for (const [index, entry] of commit.extendedSignatures.entries()) {
    wrapBlockError(BLOCK_ERRORS.commit, `wrong ExtendedCommitSig #${index}`, () =>
      validateExtendedCommitSigBasic(entry),
    )
  }
}

/** Formats a time as Go's `%v` does. */
const goTime = (time: Time): string => formatTime(time).replace('T', ' ').replace('Z', ' +0000 UTC')

/**
 * Throws {@link BlockError} on an entry with a missing or unexpected extension. If `enabled` is true, each vote for the
 * block must have an extension signature, and all other entries must have neither an extension nor an extension
 * signature. If `enabled` is false, no entry may have an extension or an extension signature.
 */
export function ensureExtensions(commit: ExtendedCommit, enabled: boolean): void {
  for (const entry of commit.extendedSignatures) {
    const { blockIdFlag, extension, extensionSignature, validatorAddress, timestamp } = entry
    const forBlock = blockIdFlag === BlockIdFlag.commit
    let problem: string | undefined
    if (!enabled) {
      if (extension.length !== 0) problem = 'vote extension present but extensions disabled'
      else if (extensionSignature.length !== 0) problem = 'vote extension signature present but extensions disabled'
    } else if (forBlock) {
      if (extensionSignature.length === 0) problem = 'vote extension signature is missing'
    } else if (extension.length !== 0) problem = 'non-commit vote extension present'
    else if (extensionSignature.length !== 0) problem = 'non-commit vote extension signature present'
    if (problem !== undefined) {
      throw invalid(`${problem}; validator addr ${bytesToHex(validatorAddress)}, timestamp ${goTime(timestamp)}`)
    }
  }
}
