/** A flag that the check accepts. */
export interface AllowedFlag {
  readonly file: string
  readonly name: string
  /** Why a lifecycle or an AbortSignal does not fit. */
  readonly why: string
}

export const ALLOWED_FLAGS: readonly AllowedFlag[] = []
