import { createVirtualClock, type LogFields, noopLogger } from '@org/runtime'
import { expect, test } from 'vitest'
import { createReplayProgress } from './replay-progress.ts'

function replay(interactive: boolean) {
  const clock = createVirtualClock()
  const lines: (readonly [string, LogFields])[] = []
  const logger = {
    ...noopLogger,
    info: (message: string, fields: LogFields = {}) => void lines.push([message, fields]),
  }
  return { lines, clock, progress: createReplayProgress(interactive, { clock, logger }) }
}

test('default: without a terminal, the log has a line for the first block, for one block every ten seconds, and for the last block', () => {
  const { lines, clock, progress } = replay(false)
  for (let height = 1; height <= 100; height++) {
    progress.at({ height, from: 1, to: 100 })
    clock.advance(1000)
  }
  progress.end()
  expect(lines).toEqual(
    [1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 100].map((height) => ['Applying block', { height, to: 100 }]),
  )
})

test('behavior: on a terminal, which shows a progress bar, nothing is logged', () => {
  const { lines, progress } = replay(true)
  progress.at({ height: 5, from: 5, to: 5 })
  progress.end()
  expect(lines).toEqual([])
})
