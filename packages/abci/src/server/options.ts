import type { Logger } from '@org/runtime'
import type { Application } from '../application/index.ts'

/** The options of {@link createAbciServer}. */
export interface ServerOptions {
  /** The address of the server: `tcp://host:port` (port 0: any free port), `host:port` or `unix://path`. */
  readonly address: string
  /** The protocol of the server. Default: `socket`. */
  readonly kind?: 'socket' | 'grpc'
  /** The maximum number of bytes of an accepted frame. Default: {@link MAX_FRAME_BYTES}. */
  readonly maxFrameBytes?: number
}

/** The application of a server, and the logger that the server uses. */
export interface ServerModules {
  readonly app: Application
  /**
   * The logger of the server. By default, errors are written to stderr, with the stack of an error that the application
   * threw.
   */
  readonly logger?: Logger
}

/** Serves one application to any number of connections. */
export interface AbciServer {
  /**
   * Rejects with `ABCI_LISTEN` if the server cannot listen at the address, and with `ABCI_GRPC_MISSING` if the library
   * of gRPC is not installed.
   */
  readonly start: () => Promise<void>
  /**
   * Stops the server and closes its connections. Does not wait until the application has answered the calls in
   * progress. If `stop` is called again, it has no effect.
   */
  readonly stop: () => Promise<void>
  /** The address of the server, with the chosen port. */
  readonly address: () => string
}
