import type { Clock, Logger, Metrics } from '@org/runtime'

/** The options of a connection to an application in another process. */
export interface RemoteOptions {
  /** The address of the application: `tcp://host:port`, `host:port` or `unix://path`. */
  readonly address: string
  /** The maximum number of bytes of an accepted frame. Default: {@link MAX_FRAME_BYTES}. */
  readonly maxFrameBytes?: number
  /**
   * The maximum number of open calls. Further calls are refused with `ABCI_TOO_MANY_PENDING`. Default:
   * {@link MAX_PENDING}.
   */
  readonly maxPending?: number
  /**
   * The milliseconds after which the connection is closed if the oldest open call has no answer. Default: 0, which
   * means no limit.
   */
  readonly timeoutMs?: number
}

/** The clock and the logger that a client of an application uses. */
export interface ClientModules {
  readonly clock: Clock
  readonly logger: Logger
}

/** The parts of the node that the connections to an application use. */
export interface ConnectionsModules extends ClientModules {
  readonly metrics: Metrics
}
