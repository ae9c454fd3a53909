/** Makes an input of about `size` bytes. Each function of this type makes one form of hostile input. */
export type Shape = (size: number) => Uint8Array

/** A place where bytes from outside enter the node. */
export interface Door {
  readonly name: string
  /** The path of the source file with the measured code. */
  readonly where: string
  /** The maximum number of bytes that the node reads as one input at this door. */
  readonly limit: number
  /** The maximum cost of an input at this door. LIMITS.md has the same figures. */
  readonly costs: Costs
  readonly shapes: Readonly<Record<string, Shape>>
  /**
   * Makes a reader that treats the input as the node does. An error of the reader means that the input was refused;
   * the time until the error counts as cost.
   */
  readonly open: () => Opened | Promise<Opened>
}

export interface Costs {
  /** The maximum processor time per byte of input, in nanoseconds, on a computer for which `machineSpeed` returns 1. */
  readonly nsPerByte: number
  /**
   * The maximum memory per byte of input, in bytes. The memory is measured at its peak while the door reads the input,
   * and again while the caller keeps the result. The larger of the two values counts.
   */
  readonly heldPerByte: number
  /**
   * The maximum processor time of one turn of the event loop, in milliseconds. Only doors at which the node divides its
   * work into turns have this maximum.
   */
  readonly turnMs?: number
}

export interface Opened {
  /** Reads the input. Returns the data that the node would keep while it works on the input. */
  readonly read: (input: Uint8Array) => unknown
  readonly close?: () => PromiseLike<void> | void
}

/**
 * The maximum bytes of memory per byte of input that may stay in use after the node has finished with an input. A
 * node should keep nothing; this value allows for noise.
 */
export const KEPT_PER_BYTE = 1

export const DEFAULT_COSTS: Costs = { nsPerByte: 100, heldPerByte: 24 }
