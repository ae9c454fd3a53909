import type { Clock, Logger, Metrics } from '@org/runtime'

export interface RemoteOptions {
  /** `tcp://host:port`, `host:port` or `unix://path`. */
  readonly address: string
  /** The largest accepted frame, in bytes. Default {@link MAX_FRAME_BYTES}. */
  readonly maxFrameBytes?: number
  /**
   * The maximum number of open calls; further ones are refused with `ABCI_TOO_MANY_PENDING`. Default {@link
   * MAX_PENDING}.
   */
  readonly maxPending?: number
  /**
   * Milliseconds without an answer to the oldest open call, after which the connection is closed. Default 0: no
   * limit.
   */
  readonly timeoutMs?: number
}

export interface ClientModules {
  readonly clock: Clock
  readonly logger: Logger
}

export interface ConnectionsModules extends ClientModules {
  readonly metrics: Metrics
}
