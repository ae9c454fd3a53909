/**
 * The base class of every error that Halley throws on purpose. `code` is a stable upper-case name, which labels metrics
 * and determines the RPC error. `data` has plain values that explain the error.
 */
export class CodedError<
  Code extends string = string,
  Data extends Readonly<Record<string, unknown>> = Readonly<Record<string, unknown>>,
> extends Error {
  readonly code: Code
  readonly data: Data

  constructor(code: Code, message: string, options: { readonly data?: Data; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.data = options.data ?? ({} as Data)
  }
}

/** True if `value` is a {@link CodedError}. With `code`, true only if the error has this code. */
export function isCodedError(value: unknown, code?: string): value is CodedError {
  return value instanceof CodedError && (code === undefined || value.code === code)
}
