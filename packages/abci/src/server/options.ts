import type { Logger } from '@org/runtime'
import type { Application } from '../application/index.ts'

export interface ServerOptions {
  /** `tcp://host:port` (port 0: any free port), `host:port` or `unix://path`. */
  readonly address: string
  /** Default: `socket`. */
  readonly kind?: 'socket' | 'grpc'
  /** The largest accepted frame, in bytes. Default {@link MAX_FRAME_BYTES}. */
  readonly maxFrameBytes?: number
}

export interface ServerModules {
  readonly app: Application
  /** Default: errors go to stderr, with the stack of the error that the application threw. */
  readonly logger?: Logger
}

/** Serves one application to any number of connections. */
export interface AbciServer {
  /** Rejects with `ABCI_LISTEN` if the server cannot listen at the address. */
  readonly start: () => Promise<void>
  /** Also closes the connections; does not wait for calls in progress. Idempotent. */
  readonly stop: () => Promise<void>
  /** The address of the server, with the chosen port. */
  readonly address: () => string
}
