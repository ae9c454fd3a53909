/** Makes input of about `size` bytes, all of one hostile form. */
export type Shape = (size: number) => Uint8Array

/** A way by which strangers' bytes enter the node. */
export interface Door {
  readonly name: string
  /** The file of the code that is measured. */
  readonly where: string
  /** The longest input that enters at once, in bytes. */
  readonly limit: number
  /** The highest cost of an input; LIMITS.md has the same figures. */
  readonly costs: Costs
  readonly shapes: Readonly<Record<string, Shape>>
  /** Makes the reader of the input, which works as in the node. Its errors are refusals, which cost too. */
  readonly open: () => Opened | Promise<Opened>
}

export interface Costs {
  /** Nanoseconds of processor time per byte, on the machine of the reference figure in `speed.ts`. */
  readonly nsPerByte: number
  /** Bytes of memory per byte of input while the node holds the result. */
  readonly heldPerByte: number
  /** Milliseconds of one turn of the event loop, where the node does the work in turns. */
  readonly turnMs?: number
}

export interface Opened {
  /** Reads the input. Returns the data that the node would keep while it works on the input. */
  readonly take: (input: Uint8Array) => unknown
  readonly close?: () => PromiseLike<void> | void
}

/** The bytes per input byte that the node may keep after an input: nothing, apart from noise. */
export const KEPT_PER_BYTE = 1

export const DEFAULT_COSTS: Costs = { nsPerByte: 100, heldPerByte: 24 }
