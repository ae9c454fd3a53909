import { createSystemClock, noopLogger, unlessAborted } from '@org/runtime'
import { type Header, hashHeader } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { findInvalidSignature } from '@org/types/crypto'
import { hashOf, heightOf, type LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS, type LightError, lightError } from '../errors.ts'
import type { Provider, RequestOptions } from '../provider/port.ts'
import { isHeaderExpired } from '../verifier/expiry.ts'
import { verifyBackwardsTo } from './backwards.ts'
import type { Context } from './context.ts'
import { isFaultOfPrimary } from './faults.ts'
import { verifyForwards } from './forwards.ts'
import { createMutex } from './mutex.ts'
import { type LightClientModules, type LightClientOptions, noTrustedBlock, settingsOf } from './options.ts'
import { createProviders } from './providers.ts'
import { establishTrust, latestBlock } from './trust-root.ts'

/**
 * A light client of one chain. Calls that verify run one after the other. If the signal of a call aborts, the call
 * rejects with the reason of the signal. A call that fails for another reason rejects with a {@link LightError}. After
 * `LIGHT_ATTACK`, the client sends no further request: each call for a block that is not stored rejects with the same
 * error.
 *
 * If `isLightFailure(error)` is true, TypeScript derives the type of `error.data` from `error.code`.
 */
export interface LightClient {
  readonly chainId: string
  /**
   * Returns the stored block at a height, or the latest stored block if no height is given. Returns `undefined` if the
   * block is not stored. Sends no request.
   */
  readonly trustedBlock: (height?: number, options?: RequestOptions) => Promise<LightBlock | undefined>
  readonly firstTrustedHeight: () => Promise<number | undefined>
  readonly lastTrustedHeight: () => Promise<number | undefined>
  /**
   * Verifies and returns the latest block of the primary. Returns `undefined` if the store already has a block of the
   * same or a greater height.
   */
  readonly update: (options?: RequestOptions) => Promise<LightBlock | undefined>
  /** Returns the block at a height, and verifies it first if it is not stored. */
  readonly verifyAtHeight: (height: number, options?: RequestOptions) => Promise<LightBlock>
  /**
   * Verifies that `header` is the header of the chain at its height. Rejects with `LIGHT_CONFLICTING_HEADER` if the
   * chain has another header at this height.
   */
  readonly verifyHeader: (header: Header, options?: RequestOptions) => Promise<void>
  /**
   * Returns the nodes that are used now. A witness may have replaced the primary, and bad witnesses have been removed.
   */
  readonly providers: () => { readonly primary: Provider; readonly witnesses: readonly Provider[] }
  /** Removes the lowest stored blocks until at most `size` are left. */
  readonly prune: (size: number, options?: RequestOptions) => Promise<void>
  /** Removes all stored blocks. After this, the client has no trusted block, and cannot verify. */
  readonly cleanup: (options?: RequestOptions) => Promise<void>
}

function otherHeader(header: Header, block: LightBlock, other: string): LightError {
  const [expected, got] = [bytesToHex(hashOf(block)), bytesToHex(hashHeader(header))]
  const message = `the header at height ${header.height} has the hash ${got}, but the header of ${other} has the hash ${expected}`
  return lightError(LIGHT_ERRORS.conflict, message, { data: { height: header.height, other, expected, got } })
}

function createContext(options: LightClientOptions, modules: LightClientModules): Context {
  const {
    store,
    clock = createSystemClock(),
    logger = noopLogger,
    onProgress,
    findInvalid = findInvalidSignature,
  } = modules
  const settings = settingsOf(options, modules)
  const { trustingPeriod, maxClockDrift, trustLevel, pruningSize } = settings
  const fixed = { trustingPeriod, maxClockDrift, trustLevel, findInvalid }
  return {
    settings,
    store,
    clock,
    logger,
    providers: createProviders(modules.primary, modules.witnesses, logger),
    rules: () => ({ ...fixed, now: clock.now() }),
    report: (progress) => onProgress?.(progress),
    save: async (block) => {
      await store.save(block)
      if (pruningSize > 0) await store.prune(pruningSize)
    },
  }
}

function backwardsRefused(height: number): LightError {
  const message = `the client has no trusted block below height ${height} that is newer than the trusting period: give the client a header to trust below this height, or set the option backwards to true`
  return lightError(LIGHT_ERRORS.backwards, message, { data: { height } })
}

/** The trusted block from which a verification begins, and the function that verifies forwards or backwards. */
interface Start {
  readonly from: LightBlock
  readonly verifyTo: typeof verifyForwards
}

/**
 * Returns the trusted block from which the block at `height` is verified: the nearest trusted block below `height`. If
 * no such block exists, or if that block has expired, the verification goes backwards from the nearest trusted block
 * above `height`. Throws if the options refuse this.
 */
async function startOf({ store, rules, settings }: Context, height: number): Promise<Start> {
  const latest = await latestBlock(store)
  if (latest === undefined) throw noTrustedBlock()
  if (height > heightOf(latest)) return { from: latest, verifyTo: verifyForwards }
  const below = await store.before(height)
  const { trustingPeriod, now } = rules()
  if (below !== undefined && !isHeaderExpired(below.header, trustingPeriod, now))
    return { from: below, verifyTo: verifyForwards }
  if (!settings.backwards) throw backwardsRefused(height)
  return { from: (await store.after(height)) ?? latest, verifyTo: verifyBackwardsTo }
}

/** Throws if the block at `height` can only be verified backwards, and the option `backwards` is false. */
async function checkDirection(context: Context, height: number): Promise<void> {
  if (!context.settings.backwards) await startOf(context, height)
}

/** Verifies a block of the primary and saves it. */
async function verifyBlock(context: Context, target: LightBlock, signal: AbortSignal | undefined): Promise<void> {
  const { from, verifyTo } = await startOf(context, heightOf(target))
  await verifyTo(context, from, { target, signal })
  await context.save(target)
}

interface Wanted {
  readonly height: number | undefined
  /** Throws if the block of the primary is not the block that the caller expects. */
  readonly check?: (block: LightBlock) => void
  readonly signal: AbortSignal | undefined
}

/**
 * Fetches and verifies a block. If the primary sends a wrong block, a witness becomes the primary, and the verification
 * begins again.
 */
async function fetchAndVerify(context: Context, { height, check, signal }: Wanted): Promise<LightBlock | undefined> {
  const { providers, store, logger } = context
  if (context.attack) throw context.attack
  if (height !== undefined) await checkDirection(context, height)
  let block = await providers.block(height, signal)
  for (;;) {
    try {
      const last = await store.lastHeight()
      if (height === undefined && last !== undefined && heightOf(block) <= last) return undefined
      check?.(block)
      await verifyBlock(context, block, signal)
      return block
    } catch (error) {
      if (!isFaultOfPrimary(error)) throw error
      logger.error('The primary sent a wrong block', { primary: providers.primary().name, err: error })
      block = await providers
        .replacePrimary({ height: heightOf(block), remove: true, cause: error, signal })
        .catch((cause) => {
          signal?.throwIfAborted()
          logger.error('Failed to replace the primary', { err: cause })
          throw error
        })
    }
  }
}

function createMethods(context: Context): LightClient {
  const { store, settings, providers } = context
  const exclusive = createMutex()
  const trustedBlock: LightClient['trustedBlock'] = async (height, { signal } = {}) => {
    signal?.throwIfAborted()
    return unlessAborted(height === undefined ? latestBlock(store) : store.at(height), signal)
  }
  return {
    chainId: settings.chainId,
    trustedBlock,
    firstTrustedHeight: store.firstHeight,
    lastTrustedHeight: store.lastHeight,
    update: ({ signal } = {}) =>
      exclusive(async () => {
        if ((await store.lastHeight()) === undefined) throw noTrustedBlock()
        return fetchAndVerify(context, { height: undefined, signal })
      }, signal),
    verifyAtHeight: async (height, { signal } = {}) => {
      checkHeight(height)
      signal?.throwIfAborted()
      // A stored block needs no request. So it is returned at once, even if earlier calls still wait for a node.
      const stored = await store.at(height)
      if (stored !== undefined) return stored
      await checkDirection(context, height)
      return exclusive(async () => {
        const known = await store.at(height)
        return known ?? ((await fetchAndVerify(context, { height, signal })) as LightBlock)
      }, signal)
    },
    verifyHeader: (header, { signal } = {}) =>
      exclusive(async () => {
        const { height } = header
        checkHeight(height)
        const checkAgainst = (other: string) => (block: LightBlock) => {
          if (!equalBytes(hashOf(block), hashHeader(header))) throw otherHeader(header, block, other)
        }
        const known = await store.at(height)
        if (known !== undefined) checkAgainst('the trusted store')(known)
        else await fetchAndVerify(context, { height, signal, check: checkAgainst('the primary') })
      }, signal),
    providers: () => ({ primary: providers.primary(), witnesses: providers.witnesses() }),
    prune: (size, { signal } = {}) => exclusive(() => store.prune(size), signal),
    cleanup: ({ signal } = {}) => exclusive(() => store.prune(0), signal),
  }
}

function checkHeight(height: number): void {
  if (Number.isSafeInteger(height) && height > 0) return
  const message = `a height must be a whole number from 1, got ${height}`
  throw lightError(LIGHT_ERRORS.option, message, { data: { option: 'height' } })
}

/**
 * Makes a light client. Without the option `trust`, the client continues from the blocks in the store. With `trust`,
 * the client first compares the stored blocks with the header to trust. If the store is empty, or if all stored blocks
 * are below this header, the client fetches the header from the primary. It compares the hash of the fetched header
 * with `trust.hash`, and compares the header with the headers of all witnesses.
 *
 * Rejects with {@link LightError}: `LIGHT_OPTION`, `LIGHT_TRUST_LEVEL`, `LIGHT_NO_WITNESSES`, `LIGHT_NO_TRUSTED_BLOCK`,
 * `LIGHT_TRUST_HASH`, `LIGHT_HEADER_EXPIRED`, `LIGHT_CONFLICTING_HEADER`, `LIGHT_REMOVAL_REFUSED`, or the errors of
 * providers and store.
 */
export async function createLightClient(
  options: LightClientOptions,
  modules: LightClientModules & RequestOptions,
): Promise<LightClient> {
  const context = createContext(options, modules)
  const { confirm = () => true, signal } = modules
  if (options.trust !== undefined) await establishTrust(context, { trust: options.trust, confirm, signal })
  else if ((await modules.store.lastHeight()) === undefined) throw noTrustedBlock()
  return createMethods(context)
}
