import type { Clock } from '@org/runtime'
import { createMultiplexer } from '../mconn/index.ts'
import { exchangeNodeInfo } from '../nodeinfo/index.ts'
import {
  type EphemeralKeys,
  ephemeralKeys,
  type SecretConnection,
  type SecureOptions,
  secure,
} from '../secret/index.ts'
import type { ByteTransport } from '../transport/index.ts'

/** Turns a stream into a connection with channels. A simulation gives its own, without cryptography and packets. */
export interface Links {
  /**
   * `secret` is 32 random bytes, new for each connection. `dialled`: this node opened the stream, so the other side may
   * wait for this node's key.
   */
  readonly secure: (
    transport: ByteTransport,
    options: Omit<SecureOptions, 'ephemeral'> & { readonly secret: Uint8Array; readonly dialled: boolean },
    clock: Clock,
  ) => Promise<SecretConnection>
  readonly exchangeNodeInfo: typeof exchangeNodeInfo
  readonly createMultiplexer: typeof createMultiplexer
}

/** `exactChecks`: the whole node's budget for exact checks of signatures. Default: no limit. */
export const createSecretLinks = (exactChecks?: SecureOptions['exactChecks']): Links => ({
  secure: (transport, { secret, dialled, ...options }, clock) => {
    const make = (): EphemeralKeys => ephemeralKeys(secret)
    return secure(
      transport,
      { ...options, ...(exactChecks && { exactChecks }), ephemeral: dialled ? make() : make },
      clock,
    )
  },
  exchangeNodeInfo,
  createMultiplexer,
})
