import type { Subject } from '../subject.ts'

export interface Measurement {
  /** The row of the table. */
  readonly metric: string
  readonly value: number
  readonly unit: string
}

export interface WorkloadContext {
  readonly subject: Subject
  /** An empty folder of this round's own. */
  readonly directory: string
  /** The short form: enough to see that it runs, not enough to quote. */
  readonly smoke: boolean
}

/** One piece of work that every subject does in every round. */
export interface Workload {
  readonly name: string
  readonly about: string
  readonly run: (context: WorkloadContext) => Promise<readonly Measurement[]>
}

/** Metrics where less is better. */
export const SMALLER_IS_BETTER: ReadonlySet<string> = new Set(['ms', 's', 'MB', 'lost'])
