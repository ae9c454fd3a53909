import { Resolver } from 'node:dns/promises'
import { type Clock, createDeferred, createSemaphore } from '@org/runtime'
import { ADDRESS_ERRORS, AddressError, canonicalIp, type NetAddress, parseHostPort } from '../address/index.ts'
import type { NodeInfo } from '../nodeinfo/index.ts'
import { MAX_LOOKUPS } from './limits.ts'

const TIMEOUT_MS = 3000

/** Resolves a host name to an address. Rejects if the name has no address. */
export type ResolveHost = (name: string) => Promise<string>

/**
 * Resolves a host name by asking name servers directly. The system's resolver is not used, because each of its calls
 * occupies one of the threads that also write to disk. A peer could report a host name that takes very long to resolve,
 * and so delay the writes.
 */
export const resolveByDns: ResolveHost = async (name) => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  const ask = (answers: Promise<string[]>): Promise<string> =>
    answers.then(([first]) => {
      if (first === undefined)
        throw new AddressError(ADDRESS_ERRORS.lookup, `the DNS has no usable address for ${name}`)
      return first
    })
  // The cancellation ends the question that has no answer yet, and closes its socket.
  return Promise.any([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]).finally(() => resolver.cancel())
}

/**
 * Returns a function that works like `resolve`, but rejects if {@link MAX_LOOKUPS} names are being resolved. The limit
 * of handshakes does not limit lookups: if a further handshake closes the stream of a peer, the lookup for this peer
 * continues, and keeps its sockets.
 */
export function limitLookups(resolve: ResolveHost): ResolveHost {
  const lookups = createSemaphore(MAX_LOOKUPS)
  return async (name) => {
    if (lookups.isFull()) {
      const text = `${MAX_LOOKUPS} host names of other peers are being resolved: ${name} is not resolved`
      throw new AddressError(ADDRESS_ERRORS.lookup, text)
    }
    await lookups.acquire()
    try {
      return await resolve(name)
    } finally {
      lookups.release()
    }
  }
}

/**
 * Returns the address that a node reported in its valid node info. Returns `undefined` if the address has a host name
 * that cannot be resolved.
 */
export function reportedAddress(
  { defaultNodeId: id, listenAddr }: NodeInfo,
  resolve: ResolveHost,
  clock: Clock,
): NetAddress | undefined | Promise<NetAddress | undefined> {
  const { host, port } = parseHostPort(listenAddr)
  const ip = canonicalIp(host)
  if (ip !== undefined) return { id, ip, port }
  const timeout = createDeferred<undefined>()
  const timer = clock.after(TIMEOUT_MS, () => timeout.resolve(undefined))
  const found = resolve(host).then(
    (text) => {
      const found = canonicalIp(text)
      return found === undefined ? undefined : { id, ip: found, port }
    },
    () => undefined,
  )
  return Promise.race([found, timeout.promise]).finally(timer.cancel)
}
