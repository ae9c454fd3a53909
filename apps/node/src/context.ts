import type { Random } from '@org/runtime'
import type { FoundHome } from './config/index.ts'
import type { HeapGrowth } from './heap-growth.ts'
import type { HomeContext } from './home/open-home.ts'
import type { SignalSource } from './node/serve.ts'
import type { OpenPage } from './page/index.ts'

/** Calls `listener` with each line that a person types, until `signal` aborts. */
export type LineSource = (listener: (line: string) => void, signal: AbortSignal) => void

/**
 * Calls `listener` with each error that no code caught, such as an error in a timer, until `signal` aborts. If
 * `listener` does not return true, the process ends.
 */
export type FaultSource = (listener: (error: unknown) => boolean, signal: AbortSignal) => void

/** The home, the input and output, and the other parts of the process that every command may use. */
export interface CommandContext extends HomeContext {
  readonly homeGiven: FoundHome['homeGiven']
  /** Writes to standard output. */
  readonly out: (text: string) => void
  readonly signals: SignalSource
  /** The lines that a person types on standard input. */
  readonly lines: LineSource
  readonly faults: FaultSource
  /** Opens the explorer page of the node in a browser. Does nothing without the option `--open`. */
  readonly openPage: OpenPage
  /** The folder in which the command was called. */
  readonly workingFolder: string
  readonly heapGrowth: HeapGrowth
  readonly random: Random
}
