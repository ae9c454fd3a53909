import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listenOnPath } from './listen-on-path.ts'

test.each([0o600, 0o660, 0o666])('a new socket file with mode %o is at first only for its owner', async (mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'socket-'))
  const server = createServer()
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  const path = join(folder, 'a.sock')
  const modeNow = (): number => statSync(path).mode & 0o777
  const mask = process.umask()
  const listening = new Promise<void>((onListening) => listenOnPath(server, { path, mode, onListening }))
  // `listenOnPath` has made the file already: it does not wait for the event loop.
  expect(modeNow()).toBe(0o600)
  expect(process.umask()).toBe(mask)
  await listening
  expect(modeNow()).toBe(mode)
})
