import type { Subject } from '../subject.ts'

export interface Measurement {
  /** The name of the row that this measurement has in the table of results. */
  readonly metric: string
  readonly value: number
  readonly unit: string
}

export interface WorkloadContext<S = Subject> {
  readonly subject: S
  /** An empty folder for this workload, in this round of the benchmark and with this node. */
  readonly directory: string
  /**
   * True for the short form of the workload, which only shows that the workload runs. Its results are too inexact to
   * compare.
   */
  readonly smoke: boolean
  /**
   * The sizes of the generated chain: the number of heights, and the megabytes of the application's state. A size is
   * missing if the user does not give it as an option of the command.
   */
  readonly sizes: { readonly heights?: number; readonly stateMegabytes?: number }
}

/** A measurement that is made for every measured node in every round of the benchmark (option `--rounds`). */
export interface Workload<S = Subject> {
  readonly name: string
  readonly about: string
  readonly run: (context: WorkloadContext<S>) => Promise<readonly Measurement[]>
}

/** The units for which a smaller value is better. */
export const SMALLER_IS_BETTER: ReadonlySet<string> = new Set(['ms', 's', 'MB', 'lost'])
