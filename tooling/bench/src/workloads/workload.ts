import type { Subject } from '../subject.ts'

export interface Measurement {
  /** The name of the row in the table. */
  readonly metric: string
  readonly value: number
  readonly unit: string
}

export interface WorkloadContext {
  readonly subject: Subject
  /** An empty folder that only this round uses. */
  readonly directory: string
  /** The short form: enough to see that it runs, too short for figures. */
  readonly smoke: boolean
  /** Sizes that the command line sets. */
  readonly sizes: { readonly heights?: number; readonly stateMegabytes?: number }
}

/** A task that every subject performs in every round. */
export interface Workload {
  readonly name: string
  readonly about: string
  readonly run: (context: WorkloadContext) => Promise<readonly Measurement[]>
}

/** Metrics where less is better. */
export const SMALLER_IS_BETTER: ReadonlySet<string> = new Set(['ms', 's', 'MB', 'lost'])
