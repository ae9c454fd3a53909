import type { Logger } from '@org/runtime'
import type { Application } from '../application/index.ts'

export interface ServerOptions {
  /** `tcp://host:port` (port 0: any free one), `host:port` or `unix://path`. */
  readonly address: string
  readonly kind: 'socket' | 'grpc'
  /** Largest frame that is accepted, in bytes. Default {@link MAX_FRAME_BYTES}. */
  readonly maxFrameBytes?: number
}

export interface ServerModules {
  readonly app: Application
  /** Default: errors go to stderr, with the stack of the error that the application threw. */
  readonly logger?: Logger
}

/** Serves one application to any number of connections. */
export interface AbciServer {
  /** Rejects with `ABCI_LISTEN` if the address cannot be had. */
  readonly start: () => Promise<void>
  /** Closes the connections too; does not wait for calls in progress. Idempotent. */
  readonly stop: () => Promise<void>
  /** Where it listens, with the port that it got. */
  readonly address: () => string
}
