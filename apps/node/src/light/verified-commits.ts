import {
  hashOf,
  LIGHT_ERRORS,
  type LightBlock,
  type LightClient,
  type LightClientModules,
  LightError,
} from '@org/light'
import { dropOldest, messageOf } from '@org/runtime'
import { Commit, Header, verifyCommit } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { sha256 } from '@org/types/crypto'
import type { Json } from '@org/types/schema'

export interface VerifiedCommitsModules extends Pick<LightClientModules, 'findInvalid'> {
  readonly light: Pick<LightClient, 'update' | 'trustedBlock' | 'verifyAtHeight'>
}

/** Returns the verified commit at a height, or the latest one, as the JSON of the operation `commit`. */
export type VerifiedCommits = (height: number | undefined, signal: AbortSignal) => Promise<Json>

/** The maximum number of commits whose verification is remembered. For each, the memory has one hash. */
const MAX_REMEMBERED = 1000

/** Returns a text that identifies the header, the commit and its signatures. The header has the hash of the validators. */
const keyOf = (block: LightBlock): string => bytesToHex(hashOf(block)) + bytesToHex(sha256(Commit.encode(block.commit)))

/**
 * Makes the operation `commit`. The light client stops at two thirds of the power, so this operation verifies all
 * signatures of the commit. Each commit is verified once, and its hash is remembered.
 */
export function createVerifiedCommits({ light, findInvalid }: VerifiedCommitsModules): VerifiedCommits {
  /** The verification of each commit. The keys of the map come from {@link keyOf}. A failed verification is removed. */
  const verifications = new Map<string, Promise<void>>()

  async function verify({ header, commit, validators }: LightBlock): Promise<void> {
    const { chainId, height } = header
    try {
      await verifyCommit({ chainId, validators, blockId: commit.blockId, height, commit }, findInvalid)
    } catch (cause) {
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
    const block = await blockAt(height, signal)
    await verifyOnce(block)
    const { header, commit } = block
    return { signed_header: { header: Header.toJson(header), commit: Commit.toJson(commit) }, canonical: true }
  }
}
