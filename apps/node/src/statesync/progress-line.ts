import type { RestoreProgress } from '@org/engine'
import { progressText } from './progress-text.ts'

/** Shows the progress of state sync in one line below the log of a terminal that is `columns()` characters wide. */
export function createProgressLine(
  showStatus: (text: string) => void,
  columns: () => number,
): {
  readonly at: (progress: RestoreProgress) => void
  readonly end: () => void
} {
  return {
    // A longer text would take a second line, which is not cleared.
    at: (progress) => showStatus(progressText(progress).slice(0, columns() - 1)),
    end: () => showStatus(''),
  }
}
