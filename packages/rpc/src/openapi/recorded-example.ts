/** A call of a real node, as it was recorded. All values are JSON. */
export interface RecordedExample {
  /** Parameters by name, as in a URI. */
  readonly uri?: string
  /** Parameters by name, as in a JSON-RPC call. */
  readonly json?: string
  readonly result?: string
  readonly error?: string
}
