import { createProgress, type Progress } from '../progress.ts'

export interface ReplayStep {
  readonly height: number
  readonly from: number
  readonly to: number
}

/** A bar for blocks that are given to the application again, shown once there is something to show. */
export function createReplayProgress(visible: boolean): {
  readonly at: (step: ReplayStep) => void
  readonly end: () => void
} {
  let bar: Progress | undefined
  let ended = false
  return {
    at: ({ height, from, to }) => {
      if (bar !== undefined) return bar.at(height)
      if (!visible || ended) return
      bar = { at: () => undefined, end: () => undefined }
      void createProgress({ title: 'replay', from: from - 1, to, visible }).then((made) => {
        if (ended) made.end()
        else bar = made
      })
    },
    end: () => {
      ended = true
      bar?.end()
    },
  }
}
