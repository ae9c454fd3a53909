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
    // The text is cut to the width of the terminal. A longer text would take two lines, and only one line is cleared
    // before the next text.
    at: (progress) => showStatus(progressText(progress).slice(0, columns() - 1)),
    end: () => showStatus(''),
  }
}
