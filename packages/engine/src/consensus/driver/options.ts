import type { MachineOptions } from '../machine/index.ts'

export interface ConsensusOptions extends MachineOptions {
  /**
   * The maximum number of waiting messages of peers. With a full queue `receive` waits, and so does the peer's socket.
   */
  readonly queueCapacity: number
  /** The maximum number of bytes of waiting messages of peers. With more, `receive` waits as well. */
  readonly queueBytes: number
  /** The longest time without a pause in the processing of inputs, in milliseconds. */
  readonly sliceMs: number
  /** The longest wait of `stop` for a running call, in milliseconds. */
  readonly stopTimeoutMs: number
}

export const DEFAULT_DRIVER_OPTIONS: Omit<ConsensusOptions, keyof MachineOptions> = {
  queueCapacity: 1000,
  queueBytes: 32 * 1024 * 1024,
  sliceMs: 5,
  stopTimeoutMs: 2000,
}
