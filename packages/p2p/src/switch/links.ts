import type { Clock } from '@org/runtime'
import { createMultiplexer } from '../mconn/index.ts'
import { exchangeNodeInfo } from '../nodeinfo/index.ts'
import { ephemeralKeys, type SecretConnection, type SecureOptions, secure } from '../secret/index.ts'
import type { ByteTransport } from '../transport/index.ts'

/** How a stream becomes a connection with channels; a simulation brings its own, without cryptography and packets. */
export interface Links {
  /** `secret` is 32 random bytes, fresh for each connection. */
  readonly secure: (
    transport: ByteTransport,
    options: Omit<SecureOptions, 'ephemeral'> & { readonly secret: Uint8Array },
    clock: Clock,
  ) => Promise<SecretConnection>
  readonly exchangeNodeInfo: typeof exchangeNodeInfo
  readonly createMultiplexer: typeof createMultiplexer
}

export const SECRET_LINKS: Links = {
  secure: (transport, { secret, ...options }, clock) =>
    secure(transport, { ...options, ephemeral: ephemeralKeys(secret) }, clock),
  exchangeNodeInfo,
  createMultiplexer,
}
