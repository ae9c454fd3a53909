export type LogFields = Readonly<Record<string, unknown>>

/** Where log lines go. Back ends live in the applications. */
export interface Logger {
  readonly debug: (message: string, fields?: LogFields) => void
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
  /** A logger whose lines carry `module=name`, with that module's level. */
  readonly child: (module: string) => Logger
}

const nothing = (): void => undefined

export const noopLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => noopLogger,
}
