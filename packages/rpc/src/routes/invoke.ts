import { LRUCache } from 'lru-cache'
import type { Profile } from '../profiles/index.ts'
import type { Args } from './arguments.ts'
import type { CallContext, Route } from './route.ts'

/** Encoded results that can never change, bounded by their size. */
export interface ResultCache {
  readonly get: (key: string) => Uint8Array | undefined
  readonly set: (key: string, bytes: Uint8Array) => void
  readonly bytes: () => number
}

/** Beside its bytes an entry costs about this much. */
const ENTRY_OVERHEAD = 200

export function createResultCache(maxBytes: number): ResultCache {
  if (maxBytes <= 0) return { get: () => undefined, set: () => undefined, bytes: () => 0 }
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    // One answer may not drive out all others.
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 4)),
    sizeCalculation: (bytes, key) => bytes.length + key.length + ENTRY_OVERHEAD,
  })
  return {
    get: (key) => cache.get(key),
    set: (key, bytes) => void cache.set(key, bytes),
    bytes: () => cache.calculatedSize,
  }
}

const encoder = new TextEncoder()

export interface Invocation {
  readonly context: CallContext
  readonly cache: ResultCache
  readonly profile: Profile
}

/** Runs an operation; gives its result as JSON, kept where it cannot change. */
export function invoke(
  route: Route,
  args: Args,
  { context, cache, profile }: Invocation,
): string | Uint8Array | Promise<string | Uint8Array> {
  const name = route.immutableKey?.(context, args)
  const key = name === undefined ? undefined : `${profile.name}/${route.name}/${name}`
  const kept = key === undefined ? undefined : cache.get(key)
  if (kept !== undefined) return kept
  const finish = (value: unknown): string | Uint8Array => {
    const text = profile.resultText(route, value, context.ports)
    if (key === undefined) return text
    const bytes = encoder.encode(text)
    cache.set(key, bytes)
    return bytes
  }
  const value = route.handler(context, args)
  return value instanceof Promise ? value.then(finish) : finish(value)
}
