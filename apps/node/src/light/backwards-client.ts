import {
  createLightClient,
  heightOf,
  isLightFailure,
  LIGHT_ERRORS,
  type LightBlock,
  type LightClient,
  type LightClientModules,
  type LightClientOptions,
  type LightStore,
  type RequestOptions,
} from '@org/light'
import { type Clock, createSemaphore, createSharedCalls } from '@org/runtime'
import { createBackwardsStore } from './backwards-store.ts'
import { LIGHT_PROXY_ERRORS, LightProxyError } from './errors.ts'

export interface BackwardsClientOptions extends Omit<LightClientOptions, 'trust' | 'backwards'> {
  /** The maximum number of verifications backwards that run at the same time. */
  readonly maxVerifications: number
  /**
   * The maximum number of waiting calls for old heights. They wait while `maxVerifications` verifications run. If there
   * are `maxVerifications + maxWaitingCalls` calls already, a further call is refused with `LIGHT_BUSY`. Calls for the
   * same height share one verification, but each call counts.
   */
  readonly maxWaitingCalls: number
}

/** A light client that also verifies old heights. */
export interface BackwardsClient extends LightClient {
  /** Replaces a stored block by the same block with another commit. The caller has verified the commit. */
  readonly replaceCommit: (block: LightBlock) => Promise<void>
}

export interface BackwardsClientModules extends Pick<LightClientModules, 'logger' | 'findInvalid'> {
  /** The light client of the latest blocks. Its option `backwards` is false. */
  readonly light: LightClient
  /** The store of the light client `light`. */
  readonly store: LightStore
  readonly clock: Clock
}

/**
 * The limits of the store in memory for blocks that are verified backwards. `maxWeight` is the maximum number of
 * validators and signatures in all blocks together. 200,000 validators and signatures take about 50 MB.
 */
const BACKWARDS_STORE = { maxBlocks: 1000, maxWeight: 200_000 }

function busy(calls: number): LightProxyError {
  const message = `the proxy has ${calls} calls for old heights already, which is the maximum: try again in a minute`
  return new LightProxyError(LIGHT_PROXY_ERRORS.busy, message)
}

/**
 * Makes a light client that verifies old heights at the same time as the latest heights.
 *
 * A light client verifies one block at a time. If no trusted block is below a height, the client must verify backwards:
 * it fetches each header from a higher block down to this height. A verification backwards can take longer than the
 * time limit of a call, and any caller may request an old height. So each verification backwards runs in a separate
 * light client, which has its own primary. Calls for other heights do not wait for this verification. Calls for the
 * same height share one verification.
 */
export function createBackwardsClient(
  { maxVerifications, maxWaitingCalls, ...options }: BackwardsClientOptions,
  { light, store, clock, logger, findInvalid }: BackwardsClientModules,
): BackwardsClient {
  const backwardsStore = createBackwardsStore(store, BACKWARDS_STORE)
  const semaphore = createSemaphore(maxVerifications)
  const maxCalls = maxVerifications + maxWaitingCalls
  /** The calls for old heights that run or wait. */
  let calls = 0
  const shared = createSharedCalls<number, LightBlock>()
  /** The error with which a light client reported an attack. When this error is set, no block is verified any more. */
  let attack: unknown

  async function unlessAttacked<T>(call: () => Promise<T>): Promise<T> {
    if (attack !== undefined) throw attack
    try {
      return await call()
    } catch (error) {
      if (isLightFailure(error) && error.code === LIGHT_ERRORS.attack) attack = error
      throw error
    }
  }

  async function verifyInSlot(height: number, signal: AbortSignal): Promise<LightBlock> {
    await semaphore.acquire(signal)
    try {
      const modules = {
        ...light.providers(),
        ...{ store: backwardsStore, clock },
        ...(logger && { logger }),
        ...(findInvalid && { findInvalid }),
      }
      const client = await createLightClient({ ...options, pruningSize: 0 }, modules)
      return await client.verifyAtHeight(height, { signal })
    } finally {
      semaphore.release()
    }
  }

  async function verifyBackwards(height: number, { signal }: RequestOptions): Promise<LightBlock> {
    if (calls >= maxCalls) throw busy(maxCalls)
    calls++
    try {
      return await shared({ key: height, work: (either) => verifyInSlot(height, either), signal })
    } finally {
      calls--
    }
  }

  async function verify(height: number, request: RequestOptions): Promise<LightBlock> {
    try {
      return await light.verifyAtHeight(height, request)
    } catch (error) {
      if (!isLightFailure(error) || error.code !== LIGHT_ERRORS.backwards) throw error
      return verifyBackwards(height, request)
    }
  }

  const isHeight = (height: number): boolean => Number.isSafeInteger(height) && height > 0

  return {
    ...light,
    update: (request) => unlessAttacked(() => light.update(request)),
    verifyAtHeight: async (height, request = {}) => {
      request.signal?.throwIfAborted()
      const known = isHeight(height) ? await backwardsStore.at(height) : undefined
      if (known !== undefined) return known
      return unlessAttacked(() => verify(height, request))
    },
    verifyHeader: (header, request) => unlessAttacked(() => light.verifyHeader(header, request)),
    replaceCommit: async (block) => {
      if ((await store.at(heightOf(block))) !== undefined) await store.save(block)
      else await backwardsStore.save(block)
    },
  }
}
