import { hashOf, LIGHT_ERRORS, type LightBlock, type LightClientModules, LightError } from '@org/light'
import { createSharedCalls, dropOldest, type Logger, messageOf } from '@org/runtime'
import { Commit, Header, ValidatorError, verifyCommit } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import type { Json } from '@org/types/schema'
import type { BackwardsClient } from './backwards-client.ts'

export interface VerifiedCommitsModules extends Pick<LightClientModules, 'findInvalid'> {
  readonly light: Pick<BackwardsClient, 'update' | 'trustedBlock' | 'verifyAtHeight' | 'providers' | 'replaceCommit'>
  readonly logger: Logger
}

/** Returns the verified commit at a height, or the latest one, as the JSON of the operation `commit`. */
export type VerifiedCommits = (height: number | undefined, signal: AbortSignal) => Promise<Json>

/** The maximum number of verified commits that the proxy remembers. It keeps one hash in memory for each of them. */
const MAX_REMEMBERED = 1000

/**
 * Returns a text that identifies the header, the commit and its signatures. The header contains the hash of the
 * validators, so the text identifies the validators too.
 */
const keyOf = (block: LightBlock): string => bytesToHex(hashOf(block)) + bytesToHex(sha256(Commit.encode(block.commit)))

/**
 * Makes the operation `commit`. The light client verifies the signatures of a commit only until they have more than two
 * thirds of the power. This operation verifies all signatures of the commit. After a successful verification, the hash
 * of the commit is remembered, so the same commit is verified once.
 *
 * A node can send a commit that has valid signatures of more than two thirds of the power, and in addition an invalid
 * signature. The light client accepts and stores this commit. When this operation finds the invalid signature, it
 * requests the commit from one node after the other. The first commit whose signatures are all valid replaces the
 * stored commit.
 */
export function createVerifiedCommits({ light, logger, findInvalid }: VerifiedCommitsModules): VerifiedCommits {
  /**
   * The verification of each commit. The keys of the map are made by {@link keyOf}. A failed verification is removed
   * from the map.
   */
  const verifications = new Map<string, Promise<void>>()
  const repairs = createSharedCalls<string, LightBlock>()

  async function verify({ header, commit, validators }: LightBlock): Promise<void> {
    const { chainId, height } = header
    try {
      await verifyCommit({ chainId, validators, blockId: commit.blockId, height, commit }, findInvalid)
    } catch (cause) {
      if (!(cause instanceof ValidatorError)) throw cause
      const reason = messageOf(cause)
      const message = `the answer to commit is wrong: ${reason}. Ask another node`
      throw new LightError(LIGHT_ERRORS.wrongAnswer, message, { data: { method: 'commit', reason }, cause })
    }
  }

  function verifyOnce(block: LightBlock): Promise<void> {
    const key = keyOf(block)
    const begun = verifications.get(key)
    if (begun !== undefined) return begun
    const verification = verify(block)
    verifications.set(key, verification)
    dropOldest(verifications, MAX_REMEMBERED)
    verification.catch(() => verifications.delete(key))
    return verification
  }

  /**
   * Asks one node after the other for its commit of this block. Returns the block with the first commit whose
   * signatures are all valid. If no node has such a commit, throws `fault`, the error about the commit in `block`.
   */
  async function repair(block: LightBlock, fault: LightError, signal: AbortSignal): Promise<LightBlock> {
    const { header, validators } = block
    const { height } = header
    const { primary, witnesses } = light.providers()
    for (const node of [primary, ...witnesses]) {
      const other = await node.lightBlock(height, { validators, signal }).catch(() => undefined)
      signal.throwIfAborted()
      if (other === undefined || !equalBytes(hashOf(other), hashOf(block))) continue
      const repaired = { header, validators, commit: other.commit }
      const isRight = await verifyOnce(repaired).then(
        () => true,
        () => false,
      )
      if (!isRight) continue
      await light.replaceCommit(repaired)
      logger.warn('Replaced a stored commit that had a false signature', {
        height,
        from: node.name,
        reason: fault.message,
      })
      return repaired
    }
    throw fault
  }

  /**
   * Returns the block unchanged if all signatures of its commit are valid. Otherwise returns the block with another
   * commit, whose signatures are all valid.
   */
  async function withRightCommit(block: LightBlock, signal: AbortSignal): Promise<LightBlock> {
    try {
      await verifyOnce(block)
      return block
    } catch (fault) {
      if (!(fault instanceof LightError)) throw fault
      return repairs({ key: keyOf(block), work: (either) => repair(block, fault, either), signal })
    }
  }

  async function blockAt(height: number | undefined, signal: AbortSignal): Promise<LightBlock> {
    if (height !== undefined) return light.verifyAtHeight(height, { signal })
    const latest = (await light.update({ signal })) ?? (await light.trustedBlock())
    if (latest !== undefined) return latest
    throw new LightError(
      LIGHT_ERRORS.noTrustedBlock,
      'the store has no trusted block: start the proxy with --height and --hash',
    )
  }

  return async (height, signal) => {
    const { header, commit } = await withRightCommit(await blockAt(height, signal), signal)
    return { signed_header: { header: Header.toJson(header), commit: Commit.toJson(commit) }, canonical: true }
  }
}
