import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSystemClock } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { createSink } from './sink.ts'

/** Opens a pipe for reading and writing. Neither waits. */
function openPipe(): number {
  const folder = mkdtempSync(join(tmpdir(), 'halley-pipe-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => {
    closeSync(descriptor)
    rmSync(folder, { recursive: true })
  })
  return descriptor
}

test('cost: while the reader of the log is stopped, the process rests, and later all lines arrive', async () => {
  const descriptor = openPipe()
  const sink = createSink(descriptor, createSystemClock())
  const line = `${'x'.repeat(99)}\n`
  const lines = 10_000
  for (let i = 0; i < lines; i++) sink.write(line)
  await sleep(50)
  const before = performance.eventLoopUtilization()
  await sleep(300)
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  const buffer = new Uint8Array(1024 * 1024)
  let received = 0
  const read = (): number => {
    try {
      received += readSync(descriptor, buffer)
    } catch {
      // The pipe is empty at the moment.
    }
    return received
  }
  await expect.poll(read, { interval: 5, timeout: 10_000 }).toBe(lines * line.length)
})
