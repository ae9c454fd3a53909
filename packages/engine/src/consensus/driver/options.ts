import type { MachineOptions } from '../machine/index.ts'

export interface ConsensusOptions extends MachineOptions {
  /** Messages of peers that wait. A full queue makes `receive` wait, and so the peer's socket. */
  readonly queueCapacity: number
  /** Bytes of the peers' messages that wait. A queue that holds more makes `receive` wait as well. */
  readonly queueBytes: number
  /** Inputs are processed at most this long before others get a turn, in milliseconds. */
  readonly sliceMs: number
  /** `stop` waits this long for a call in progress, in milliseconds. */
  readonly stopTimeoutMs: number
}

export const DEFAULT_DRIVER_OPTIONS: Omit<ConsensusOptions, keyof MachineOptions> = {
  queueCapacity: 1000,
  queueBytes: 32 * 1024 * 1024,
  sliceMs: 5,
  stopTimeoutMs: 2000,
}
