import { LRUCache } from 'lru-cache'
import type { Args } from './arguments.ts'
import type { Pace } from './call-pace.ts'
import { gatherSlices } from './json-slices.ts'
import type { Profile } from './profile.ts'
import type { CallContext, Route } from './route.ts'
import { whileConnected } from './while-connected.ts'

/** A cache of encoded results that can never change, with a limit in bytes. */
export interface ResultCache {
  readonly get: (key: string) => Uint8Array | undefined
  /**
   * Keeps a result for later calls with the same key, until newer results need its memory. If `slot` is given, the new
   * result replaces the earlier result that was kept with the same `slot`.
   */
  readonly set: (key: string, bytes: Uint8Array, slot?: string) => void
  readonly bytes: () => number
  /** Empties the cache. Returns the number of freed bytes. */
  readonly clear: () => number
  /**
   * Begins the work that makes the result for a key, and keeps the result in the cache. While the work is in progress,
   * the function `begun` returns the promise of the result. So other calls that need the same result can wait for this
   * promise, and do not begin the same work.
   */
  readonly share: (key: string, work: () => Promise<Uint8Array>) => Promise<Uint8Array>
  /** Returns the work for `key` that is in progress; `undefined` if there is none. */
  readonly begun: (key: string) => Promise<Uint8Array> | undefined
}

/** The approximate memory of a cached result in addition to its bytes and its key, in bytes. */
const ENTRY_OVERHEAD = 200

/** Creates a cache for at most `maxBytes` of results. If `maxBytes` is 0, the cache keeps nothing. */
export function createResultCache(maxBytes: number): ResultCache {
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: Math.max(1, maxBytes),
    // A single large result must not remove all other results.
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 4)),
    sizeCalculation: (bytes, key) => bytes.length + key.length + ENTRY_OVERHEAD,
  })
  /** The key of the kept result for each slot. A slot names a profile and an operation, so there are few slots. */
  const slots = new Map<string, string>()
  /** The promises of results that are being made, by the key of the result. Each running call adds at most one. */
  const working = new Map<string, Promise<Uint8Array>>()
  return {
    get: (key) => cache.get(key),
    set: (key, bytes, slot) => {
      const before = slot === undefined ? undefined : slots.get(slot)
      if (before !== undefined && before !== key) cache.delete(before)
      if (slot !== undefined) slots.set(slot, key)
      cache.set(key, bytes)
    },
    bytes: () => cache.calculatedSize,
    clear: () => {
      const bytes = cache.calculatedSize
      cache.clear()
      slots.clear()
      return bytes
    },
    begun: (key) => working.get(key),
    share: (key, work) => {
      const begun = work()
        .then((bytes) => {
          cache.set(key, bytes)
          return bytes
        })
        .finally(() => working.delete(key))
      working.set(key, begun)
      return begun
    },
  }
}

const encoder = new TextEncoder()

export interface Invocation {
  readonly context: CallContext
  readonly cache: ResultCache
  readonly profile: Profile
}

type Result = string | Uint8Array | Promise<string | Uint8Array>

/**
 * Runs an operation when the turn of the call comes. Returns the result as JSON. If the result cannot change, it is
 * also kept in the cache.
 */
export function invoke(route: Route, args: Args, invocation: Invocation): Result {
  const done = invocation.context.meter?.call(route.name)
  if (done === undefined) return inTurn(route, args, invocation)
  let result: Result | undefined
  try {
    result = inTurn(route, args, invocation)
    return result instanceof Promise ? result.finally(done) : result
  } finally {
    if (!(result instanceof Promise)) done()
  }
}

/**
 * Returns the function with which a call of this operation waits for its turn. A call that sends data for a block does
 * not wait until the block in progress is finished.
 */
function paceOf(route: Route, { context: { pace } }: Invocation): Pace['run'] {
  return route.isForBlock === true ? pace.runForBlock : pace.run
}

function inTurn(route: Route, args: Args, invocation: Invocation): Result {
  // The client must receive the answer to `subscribe` before the first event. So the call runs at once. If the call
  // waited for its turn, its answer would be sent some time after the subscription begins, and an event could be sent
  // first.
  if (route.websocketOnly === true) return run(route, args, invocation)
  const { isLarge, signal } = invocation.context
  const work = (): Result => run(route, args, invocation)
  const turn = paceOf(route, invocation)
  return isLarge ? whileConnected(turn, work, signal()) : turn(work)
}

function* inProfile(profile: Profile, route: Route, pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield profile.slice(route, piece)
}

function run(route: Route, args: Args, invocation: Invocation): Result {
  const { context, cache, profile } = invocation
  const name = route.immutableKey?.(context, args)
  const key = name === undefined ? undefined : `${profile.name}/${route.name}/${name}`
  const kept = key === undefined ? undefined : cache.get(key)
  if (kept !== undefined) return kept
  const begun = key === undefined ? undefined : cache.begun(key)
  if (begun !== undefined) return begun
  const slices = key !== undefined && profile.isPlain(route) ? route.slices?.(context, args) : undefined
  if (key !== undefined && slices !== undefined)
    return cache.share(key, async () => gatherSlices(inProfile(profile, route, await slices), context))
  const keep = (bytes: Uint8Array): Uint8Array => {
    if (key !== undefined) cache.set(key, bytes, route.isOfNow === true ? `${profile.name}/${route.name}` : undefined)
    return bytes
  }
  const finish = (value: unknown): Result => {
    const pieces = profile.resultPieces(route, value, context.ports)
    if (pieces !== undefined) return gatherSlices(pieces, context).then(keep)
    const text = profile.resultText(route, value, context.ports)
    if (key === undefined) return text
    return keep(encoder.encode(text))
  }
  const value = route.handler(context, args)
  // The handler waited for other work, such as a database read. When this work ends, many calls may continue at the
  // same moment. So the rest of each call waits for its turn again.
  return value instanceof Promise ? value.then((one) => paceOf(route, invocation)(() => finish(one))) : finish(value)
}
