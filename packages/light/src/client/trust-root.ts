import { validateLightBlockBasic, verifyCommitLight } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { hashOf, heightOf, type LightBlock, lightBlockToWire } from '../block/light-block.ts'
import { LIGHT_ERRORS, lightError } from '../errors.ts'
import type { LightStore } from '../store/port.ts'
import { checkNotExpired } from '../verifier/expiry.ts'
import type { Context } from './context.ts'
import { compareTrustRoot } from './detector.ts'
import type { LightClientModules, TrustRoot } from './options.ts'

interface Start {
  readonly trust: TrustRoot
  readonly confirm: NonNullable<LightClientModules['confirm']>
  readonly signal: AbortSignal | undefined
}

/** Returns the stored block with the greatest height. */
export async function latestBlock(store: LightStore): Promise<LightBlock | undefined> {
  const height = await store.lastHeight()
  return height === undefined ? undefined : store.at(height)
}

/** Removes the blocks above a height. */
async function rollBack({ store, logger }: Context, height: number): Promise<void> {
  for (let last = await store.lastHeight(); last !== undefined && last > height; last = await store.lastHeight()) {
    await store.remove(last)
  }
  logger.info('Removed the stored blocks above the trusted height', { height })
}

/**
 * Compares the stored blocks with the header that the user trusts. First removes the stored blocks above the height of
 * this header. Then checks the hash of the highest block that is left. If this block has the height of the trusted
 * header, it must have the trusted hash. If this block is below the trusted header, it must have the hash of the
 * primary's block at the same height. If the hash is wrong, removes all stored blocks. Asks `confirm` before each
 * removal.
 *
 * Source: `checkTrustedHeaderUsingOptions` of the reference. One difference: when the reference removes the blocks
 * above the trusted height, it keeps the highest of them.
 */
async function checkStored(context: Context, { trust, confirm, signal }: Start): Promise<void> {
  const { store, providers, logger } = context
  let latest = await latestBlock(store)
  if (latest !== undefined && heightOf(latest) > trust.height) {
    const action = `Remove the light blocks above height ${trust.height}, up to ${heightOf(latest)}, to begin from the hash ${bytesToHex(trust.hash)}?`
    if (!(await confirm(action))) return
    await rollBack(context, trust.height)
    latest = await latestBlock(store)
  }
  if (latest === undefined) return
  const height = heightOf(latest)
  const wanted = height === trust.height ? trust.hash : hashOf(await providers.block(height, signal))
  if (equalBytes(wanted, hashOf(latest))) return
  const [got, want] = [bytesToHex(hashOf(latest)), bytesToHex(wanted)]
  logger.info('The stored block has another hash than the block of the primary', { height, stored: got, primary: want })
  const action = `The stored light block at height ${height} has the hash ${got}, and the primary has ${want}. Remove all stored light blocks?`
  if (await confirm(action)) return store.prune(0)
  const message = `the stored light block at height ${height} contradicts the header to trust, and must not be removed: use another store`
  throw lightError(LIGHT_ERRORS.removalRefused, message, { data: { height } })
}

/**
 * Fetches the block to trust, checks it without other blocks of the chain, compares it with the blocks of the
 * witnesses, and saves it. Source: `initializeWithTrustOptions` of the reference.
 */
async function fetchRoot(context: Context, { trust, signal }: Start): Promise<void> {
  const { providers, settings, rules, save } = context
  const { height, hash } = trust
  const block = await providers.block(height, signal)
  const { header, commit, validators } = block
  validateLightBlockBasic(lightBlockToWire(block), settings.chainId)
  if (!equalBytes(hashOf(block), hash)) {
    const [expected, got] = [bytesToHex(hash), bytesToHex(hashOf(block))]
    const message = `the header to trust at height ${height} has the hash ${expected}, and ${providers.primary().name} has ${got}: compare the hash with a source that you trust`
    throw lightError(LIGHT_ERRORS.trustHash, message, { data: { height, expected, got } })
  }
  checkNotExpired(header, rules())
  const { chainId } = settings
  await verifyCommitLight({ chainId, validators, blockId: commit.blockId, height, commit }, rules().findInvalid)
  await compareTrustRoot(context, block, signal)
  await save(block)
}

/**
 * Compares the store with the header that the user trusts. Fetches the trusted header if the store is empty, or if all
 * stored blocks are below this header.
 */
export async function establishTrust(context: Context, start: Start): Promise<void> {
  await checkStored(context, start)
  const last = await context.store.lastHeight()
  if (last === undefined || last < start.trust.height) await fetchRoot(context, start)
}
