import type { MachineOptions } from '../machine/index.ts'

export interface ConsensusOptions extends MachineOptions {
  /**
   * The maximum number of peers' messages that wait for the machine. While the queue is full, `receive` does not
   * resolve, so the node does not read from the peer's socket.
   */
  readonly queueCapacity: number
  /**
   * The maximum number of bytes of peers' messages that wait for the machine. Above this number, the queue counts as
   * full.
   */
  readonly queueBytes: number
  /** The longest time for which inputs are processed before other tasks of the process get a turn, in milliseconds. */
  readonly sliceMs: number
  /** The longest time for which `stop` waits for a running call, in milliseconds. */
  readonly stopTimeoutMs: number
}

/** The default options of the consensus driver, without those of the machine. */
export const DEFAULT_DRIVER_OPTIONS: Omit<ConsensusOptions, keyof MachineOptions> = {
  queueCapacity: 1000,
  queueBytes: 32 * 1024 * 1024,
  sliceMs: 5,
  stopTimeoutMs: 2000,
}
