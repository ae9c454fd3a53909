import type { Clock, Logger } from '@org/runtime'
import { createProgress, type Progress } from '../progress.ts'

export interface ReplayStep {
  readonly height: number
  readonly from: number
  readonly to: number
}

export interface ReplayProgressModules {
  readonly clock: Clock
  readonly logger: Logger
}

/** The time between two log lines about a replay. The reference logs a line for every block. */
const LINE_INTERVAL = 10_000_000_000n

/** Shows how many blocks were replayed to the application: as a bar on a terminal, otherwise as log lines. */
export function createReplayProgress(
  interactive: boolean,
  { clock, logger }: ReplayProgressModules,
): {
  readonly at: (step: ReplayStep) => void
  readonly end: () => void
} {
  let bar: Progress | undefined
  const ended = new AbortController()
  let lastLine: bigint | undefined

  function logLine({ height, to }: ReplayStep): void {
    const now = clock.now()
    if (lastLine !== undefined && height < to && now - lastLine < LINE_INTERVAL) return
    lastLine = now
    logger.info('Applying block', { height, to })
  }

  return {
    at: (step) => {
      const { height, from, to } = step
      if (!interactive) return logLine(step)
      if (bar !== undefined) return bar.at(height)
      if (ended.signal.aborted) return
      bar = { at: () => undefined, end: () => undefined }
      void createProgress({ title: 'replay', from: from - 1, to, visible: interactive }).then((made) => {
        if (ended.signal.aborted) made.end()
        else bar = made
      })
    },
    end: () => {
      ended.abort()
      bar?.end()
    },
  }
}
