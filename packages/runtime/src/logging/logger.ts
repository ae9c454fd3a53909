/** The data of a log line, by name, such as `{ peer, height }`. */
export type LogFields = Readonly<Record<string, unknown>>

/** The receiver of log lines. Its implementations are in the applications. */
export interface Logger {
  readonly debug: (message: string, fields?: LogFields) => void
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
  /** Returns a logger whose lines have the field `module=name`, and which uses the level of that module. */
  readonly child: (module: string) => Logger
}

const nothing = (): void => undefined

/** A logger that discards everything. */
export const noopLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => noopLogger,
}
