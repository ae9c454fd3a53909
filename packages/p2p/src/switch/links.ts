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

/**
 * The functions by which the switch makes a connection with channels from a stream. A node uses
 * {@link createSecretLinks}. A simulation has functions of its own, which use neither cryptography nor packets.
 */
export interface Links {
  /**
   * Runs the handshake. `secret` has 32 random bytes, and must be new for each connection. `dialled` is true if this
   * node opened the stream. This node then sends its key immediately, because the other node may wait for it. If
   * `dialled` is false, this node sends its key only after it has received the key of the other node.
   */
  readonly secure: (
    transport: ByteTransport,
    options: Omit<SecureOptions, 'ephemeral'> & { readonly secret: Uint8Array; readonly dialled: boolean },
    clock: Clock,
  ) => Promise<SecretConnection>
  readonly exchangeNodeInfo: typeof exchangeNodeInfo
  readonly createMultiplexer: typeof createMultiplexer
}

/**
 * Returns the functions that make secret connections with a multiplexer. `exactChecks` is the whole node's budget for
 * exact checks of signatures, which are slow. Default: no limit.
 */
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
