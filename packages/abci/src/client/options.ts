import type { Clock, Logger, Metrics } from '@org/runtime'

export interface RemoteOptions {
  /** `tcp://host:port`, `host:port` or `unix://path`. */
  readonly address: string
  /** Largest frame that is accepted, in bytes. Default {@link MAX_FRAME_BYTES}. */
  readonly maxFrameBytes?: number
  /** Open calls. More are refused with `ABCI_TOO_MANY_PENDING`. Default {@link MAX_PENDING}. */
  readonly maxPending?: number
  /** Milliseconds without an answer to the oldest open call that end the connection. Default 0: wait for ever. */
  readonly timeoutMs?: number
}

export interface ClientModules {
  readonly clock: Clock
  readonly logger: Logger
}

export interface ConnectionsModules extends ClientModules {
  readonly metrics: Metrics
}
