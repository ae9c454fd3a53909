import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { clearStaleSocket } from './stale-socket.ts'

describe('clearStaleSocket', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'halley-sockets-'))
    path = join(folder, 'a.sock')
    return () => rmSync(folder, { recursive: true, force: true })
  })

  test('default: a file that outlived its server is removed', async () => {
    const moved = join(folder, 'moved.sock')
    // A server that closes removes the file with the name to which it was bound. The test renames the socket file
    // before that, so the file stays.
    const dead = createServer()
    await new Promise<void>((resolve) => dead.listen(moved, resolve))
    renameSync(moved, path)
    await new Promise((resolve) => dead.close(resolve))
    expect(existsSync(path)).toBe(true)
    await clearStaleSocket(path)
    expect(existsSync(path)).toBe(false)
  })

  test('behavior: a socket file with a running server is kept', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    await clearStaleSocket(path)
    expect(existsSync(path)).toBe(true)
    await new Promise((resolve) => server.close(resolve))
  })

  test('behavior: other files and folders are kept, and a missing or inaccessible path is not an error', async () => {
    writeFileSync(path, 'mine')
    mkdirSync(join(folder, 'sub'))
    for (const other of [path, join(folder, 'sub'), join(folder, 'none'), join(path, 'below')]) {
      const before = existsSync(other)
      await clearStaleSocket(other)
      expect(existsSync(other)).toBe(before)
    }
  })
})
