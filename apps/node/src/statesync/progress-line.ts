import type { RestoreProgress } from '@org/engine'
import { progressText } from './progress-text.ts'

/** Moves to the first column and clears the rest of the line. */
const BEGIN_LINE = '\r\u001b[K'

/** One line of a terminal that changes with the progress of state sync. */
export function createProgressLine(write: (text: string) => void): {
  readonly at: (progress: RestoreProgress) => void
  readonly end: () => void
} {
  let shown = ''
  return {
    at: (progress) => {
      const text = progressText(progress)
      if (text === shown) return
      shown = text
      write(BEGIN_LINE + text)
    },
    end: () => {
      if (shown !== '') write('\n')
      shown = ''
    },
  }
}
