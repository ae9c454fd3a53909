/** Makes input of about `size` bytes, all of one hostile form. */
export type Shape = (size: number) => Uint8Array

/** A way by which bytes of strangers come into the node. */
export interface Door {
  readonly name: string
  /** The file whose code is run. */
  readonly where: string
  /** The longest input that comes through at once, in bytes. */
  readonly limit: number
  /** The highest cost of an input; LIMITS.md has the same figures. */
  readonly costs: Costs
  readonly shapes: Readonly<Record<string, Shape>>
  /** Takes the input as the node does. Its errors are refusals, which cost too. */
  readonly open: () => Opened | Promise<Opened>
}

export interface Costs {
  /** Nanoseconds of processor time a byte, on a machine as fast as the one that `speed.ts` is set for. */
  readonly nsPerByte: number
  /** Bytes of memory a byte of input while the node holds what it read. */
  readonly heldPerByte: number
}

export interface Opened {
  /** Takes the input; gives what the node keeps of it while it is at work on it. */
  readonly take: (input: Uint8Array) => unknown
  readonly close?: () => PromiseLike<void> | void
}

/** The bytes per input byte that the node may keep after an input: nothing, apart from noise. */
export const KEPT_PER_BYTE = 1

export const DEFAULT_COSTS: Costs = { nsPerByte: 100, heldPerByte: 24 }
