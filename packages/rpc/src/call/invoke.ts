import { LRUCache } from 'lru-cache'
import type { Args } from './arguments.ts'
import type { Pace } from './call-pace.ts'
import type { LargeAnswer } from './large-answers.ts'
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
  /**
   * Maps each slot to the cache key of the last result that was kept with this slot. A slot is a text with the names of
   * a profile and an operation, so there are few slots.
   */
  const slots = new Map<string, string>()
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
  const endCall = invocation.context.meter?.call(route.name)
  if (endCall === undefined) return inTurn(route, args, invocation)
  let result: Result | undefined
  try {
    result = inTurn(route, args, invocation)
    return result instanceof Promise ? result.finally(endCall) : result
  } finally {
    if (!(result instanceof Promise)) endCall()
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

interface Call {
  readonly route: Route
  readonly args: Args
  readonly invocation: Invocation
  /** The key of the result in the cache; `undefined` if the result may change. */
  readonly key: string | undefined
}

function run(route: Route, args: Args, invocation: Invocation): Result {
  const { context, cache, profile } = invocation
  const name = route.immutableKey?.(context, args)
  const key = name === undefined ? undefined : `${profile.name}/${route.name}/${name}`
  const kept = key === undefined ? undefined : cache.get(key)
  if (kept !== undefined) return kept
  const call: Call = { route, args, invocation, key }
  const joined = key === undefined ? undefined : context.answers.join(key, context.signal())
  if (joined !== undefined) return joined.then((bytes) => keep(call, bytes))
  const slices = slicesOf(call)
  if (slices !== undefined) return makeLarge(call, slices)
  const value = route.handler(context, args)
  // The handler waited for other work, such as a database read. When this work ends, many calls may continue at the
  // same moment. So the rest of each call waits for its turn again.
  return value instanceof Promise
    ? value.then((one) => paceOf(route, invocation)(() => finish(call, one)))
    : finish(call, value)
}

/** Returns the JSON of a result. */
function finish(call: Call, value: unknown): Result {
  const { route, invocation, key } = call
  const { context, profile } = invocation
  const pieces = profile.resultPieces(route, value, context.ports)
  if (pieces !== undefined) return makeLarge(call, pieces)
  const text = profile.resultText(route, value, context.ports)
  return key === undefined ? text : keep(call, encoder.encode(text))
}

/** Puts the JSON of a result into the cache if the result cannot change. */
function keep({ route, invocation: { cache, profile }, key }: Call, bytes: Uint8Array): Uint8Array {
  if (key !== undefined) cache.set(key, bytes, route.isOfNow === true ? `${profile.name}/${route.name}` : undefined)
  return bytes
}

/** Returns the pieces of a result that cannot change, if the operation can make them without the whole result. */
function slicesOf({ route, args, invocation, key }: Call): Promise<Iterable<string>> | undefined {
  const { context, profile } = invocation
  if (key === undefined || !profile.isPlain(route)) return undefined
  return route.slices?.(context, args)?.then((pieces) => inProfile(profile, route, pieces))
}

function makeLarge(call: Call, pieces: LargeAnswer['pieces']): Promise<Uint8Array> {
  const { key, invocation } = call
  const { context } = invocation
  const answer = { key, pieces, reload: () => loadAgain(call), modules: context, signal: context.signal() }
  return context.answers.make(answer).then((bytes) => keep(call, bytes))
}

/** Loads the result of a call again. Returns the JSON from the cache if an equal call has made it meanwhile. */
async function loadAgain(call: Call): Promise<Iterable<string> | Uint8Array> {
  const { route, args, invocation, key } = call
  const { context, cache, profile } = invocation
  const made = key === undefined ? undefined : cache.get(key)
  if (made !== undefined) return made
  const slices = slicesOf(call)
  if (slices !== undefined) return slices
  const value = await route.handler(context, args)
  return profile.resultPieces(route, value, context.ports) ?? [profile.resultText(route, value, context.ports)]
}
