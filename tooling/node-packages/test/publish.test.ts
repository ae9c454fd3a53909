import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { type PinnedProgram, pinnedPrograms } from '../src/pinned-programs.ts'
import { publishRelease } from '../src/publish-release.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PROGRAMS = pinnedPrograms(ROOT)

/**
 * Starts a registry that has only these packages. Returns the environment variables with which npm uses this registry,
 * the requests that the registry received, and a temporary folder.
 */
async function startRegistry(packages: readonly PinnedProgram[]) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '')
    requests.push(`${request.method} ${name}`)
    const found = packages.find((one) => one.name === name)
    response.statusCode = found === undefined ? 404 : 200
    const version = { name, version: found?.version, dist: {} }
    const body = { name, 'dist-tags': { latest: found?.version }, versions: { [String(found?.version)]: version } }
    response.end(JSON.stringify(found === undefined ? { error: 'Not found' } : body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'halley-publish-'))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true })
  })
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, 'cache') }
  return { env, requests, folder }
}

const check = (env: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, [join(ROOT, 'tooling/node-packages/src/main.ts'), '--check'], { env })

test('the check passes if the registry has the pinned Node.js of every platform', async () => {
  const { env, requests } = await startRegistry(PROGRAMS)
  await check(env)
  expect(requests).toHaveLength(PROGRAMS.length)
})

test('the check names each package that the registry does not have', async () => {
  const { env } = await startRegistry(PROGRAMS.slice(0, 2))
  const failed = (await check(env).catch((error: unknown) => error)) as {
    readonly code: number
    readonly stderr: string
  }
  expect(failed.code).toBe(1)
  const named = [...failed.stderr.matchAll(/^The registry does not have (\S+?)@\d/gm)].map(([, name]) => name)
  expect(named).toEqual(PROGRAMS.slice(2).map(({ name }) => name))
})

test('a release ends at the first pinned Node.js that cannot be published', async () => {
  const { env, requests, folder } = await startRegistry(PROGRAMS.slice(0, 2))
  await expect(publishRelease({ root: folder, programs: PROGRAMS, env })).rejects.toThrow(/^Command failed: npm pack /)
  expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([])
  expect(requests.at(-1)).toBe(`GET ${PROGRAMS[2]?.source}`)
})
