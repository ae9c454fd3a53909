import { type Clock, createVirtualClock } from '@org/runtime'
import { expect, test } from 'vitest'
import type { PlantedBug } from '../src/planted-bug.ts'
import { type Job, runJobs, whatBroke } from '../src/pool.ts'
import { afterRunning } from '../src/run-time.ts'

test('default: a run that takes too long is stopped, and the next one runs', { timeout: 60_000 }, async () => {
  // Without the time limit, each of the two searches would take hours.
  const search = { rounds: 3, byzantine: [3], byzantineVotes: 9 }
  const jobs: Job[] = ['one', 'other'].map((name) => ({ name, search }))
  const seen: (string | undefined)[][] = []
  await runJobs(jobs.values(), { workers: 1, timeoutMs: 600 }, ({ name }, outcome) => {
    seen.push([name, whatBroke(outcome)])
    return true
  })
  const why = 'error: the run did not end within 0.6 s'
  expect(seen).toEqual([
    ['one', why],
    ['other', why],
  ])
})

test('error: a worker process that crashes is an error of its network, and the next network runs', {
  timeout: 60_000,
}, async () => {
  const crash: PlantedBug = {
    name: 'crash',
    about: 'the process ends as after a segmentation fault',
    file: 'simnet/src/explorer/index.ts',
    find: 'export {',
    replace: 'process.kill(process.pid, "SIGSEGV"); export {',
  }
  const jobs: Job[] = ['one', 'other'].map((name) => ({ name, search: { rounds: 1, byzantine: [] } }))
  const seen: (string | undefined)[][] = []
  await runJobs(jobs.values(), { workers: 1, timeoutMs: 60_000, mutant: crash }, ({ name }, outcome) => {
    seen.push([name, whatBroke(outcome)])
    return true
  })
  const why = 'error: the worker process ended with SIGSEGV'
  expect(seen).toEqual([
    ['one', why],
    ['other', why],
  ])
})

test('default: a time limit of a running process ends it, unless the limit is cancelled', () => {
  const clock = createVirtualClock()
  const over: string[] = []
  afterRunning(10_250, clock, () => over.push('one'))
  const other = afterRunning(10_250, clock, () => over.push('other'))
  clock.advance(10_249)
  expect(over).toEqual([])
  other.cancel()
  clock.advance(1)
  expect(over).toEqual(['one'])
})

test('behavior: time in which the process is stopped does not count', () => {
  // After a night in standby, every timer that was due in the night fires once.
  const due: (() => void)[] = []
  const after: Clock['after'] = (_, run) => {
    due.push(run)
    return { cancel: () => undefined }
  }
  let isOver = false
  afterRunning(120_000, { after }, () => {
    isOver = true
  })
  for (let night = 0; night < 7; night++) for (const run of due.splice(0)) run()
  expect(isOver).toBe(false)
})
