import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RpcOptions } from '../src/index.ts'
import { createRpcServer } from '../src/server.ts'
import { createDumpPorts } from './dump-ports.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halley-socket-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const listenOn = (path: string, options: Partial<RpcOptions> = {}) =>
  createRpcServer({
    ports: createDumpPorts('kvstore-single', { indexing: true }),
    options: { laddr: `unix://${path}`, ...options },
  }).listen()

const modeOf = (path: string): number => statSync(path).mode & 0o777

function health(socketPath: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/health' }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('unix socket', () => {
  test.each([
    [undefined, 0o600],
    [0o660, 0o660],
    [0o666, 0o666],
  ])('default: mode %s gives %s, and the file is gone at the end', async (socketMode, mode) => {
    const path = join(folder, 'rpc.sock')
    const listener = await listenOn(path, socketMode === undefined ? {} : { socketMode })
    expect(modeOf(path)).toBe(mode)
    expect(await health(path)).toBe(200)
    await listener.stop()
    expect(existsSync(path)).toBe(false)
  })

  test('behavior: with strict the mask of the process decides, as for the reference', async () => {
    const path = join(folder, 'rpc.sock')
    const listener = await listenOn(path, { strict: true })
    expect(modeOf(path)).toBe(0o777 & ~process.umask())
    await listener.stop()
  })

  test('behavior: a socket file without a server is replaced', async () => {
    const path = join(folder, 'rpc.sock')
    const moved = join(folder, 'moved.sock')
    // Makes a socket file that no server listens on. A server that stops removes the file at its path. The file is
    // renamed before the server stops, so the server does not find it.
    const dead = createServer()
    await new Promise<void>((resolve) => dead.listen(moved, resolve))
    renameSync(moved, path)
    await new Promise((resolve) => dead.close(resolve))
    expect(statSync(path).isSocket()).toBe(true)
    const listener = await listenOn(path)
    expect(await health(path)).toBe(200)
    await listener.stop()
  })

  test('error: a socket file with a server is refused, and the server continues', async () => {
    const path = join(folder, 'rpc.sock')
    const first = await listenOn(path)
    await expect(listenOn(path)).rejects.toMatchObject({
      code: 'RPC_CONFIG',
      message: expect.stringContaining('EADDRINUSE'),
    })
    expect(await health(path)).toBe(200)
    await first.stop()
  })

  test('error: another kind of file is not replaced', async () => {
    const path = join(folder, 'file')
    writeFileSync(path, 'mine')
    await expect(listenOn(path)).rejects.toMatchObject({ code: 'RPC_CONFIG' })
    expect(statSync(path).size).toBe(4)
  })
})
