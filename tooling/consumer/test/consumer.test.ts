import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { freePort, recordingLines } from '@org/golden'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, packAll, ROOT, registryAnswers } from '../src/packages.ts'
import { run } from '../src/run.ts'
import { readSbom } from '../src/sbom.ts'

const reachable = await registryAnswers()
if (!reachable) console.log('skipped: the consumer test installs from the npm registry, which does not answer')

interface Exchange {
  readonly id: string
  readonly response: { readonly body: string }
}

const recordedBlock = (): string => {
  const exchanges = recordingLines('kvstore-single/answers.jsonl') as Exchange[]
  return exchanges.find(({ id }) => id === 'main/uri/block/height-first')?.response.body ?? ''
}

const MODULES: readonly unknown[] = ['node16-esm', 'bundler']
const concernsModules = (problem: Problem): boolean =>
  !('resolutionKind' in problem) || MODULES.includes(problem.resolutionKind)

const CHAIN = `import { createChain } from '@org/simnet'
const chain = await createChain({ app: {} })
await chain.advance({ blocks: 3 })
console.log(chain.height())
await chain.stop()
`

describe.skipIf(!reachable)('what is published, in empty projects', () => {
  let folder = ''
  let tarballs: Readonly<Record<string, string>> = {}
  const file = (name: string): [string, string] => [name, `file:${tarballs[name]}`]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'halley-consumer-'))
    tarballs = await packAll(folder)
  }, 300_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('types, abci and rpc serve, ask and decode, with strict types', async () => {
    const project = join(folder, 'library')
    await cp(join(ROOT, 'tooling/consumer/project'), project, { recursive: true })
    await createProject(project, {
      ...Object.fromEntries(['@org/runtime', '@org/types', '@org/abci', '@org/rpc'].map(file)),
      '@hono/node-server': '^2.0.0',
      '@types/node': '^24.0.0',
      hono: '^4.0.0',
    })
    await writeFile(join(project, 'block.json'), recordedBlock())
    await run([join(ROOT, 'node_modules/.bin/tsc'), '-p', project], { cwd: project, timeoutMs: 60_000 })
    const out = await run([process.execPath, 'out/main.js'], { cwd: project, timeoutMs: 60_000 })
    const { announced, paths, ...rest } = JSON.parse(out) as Record<string, unknown>
    expect(rest).toEqual({
      hash: announced,
      signature: true,
      info: 'ten lines',
      coded: 'MINE',
      mine: 'mine',
      health: { jsonrpc: '2.0', id: -1, result: {} },
      height: 1,
      sameHeader: 8,
      refused: 'RPC_CLIENT_REFUSED',
    })
    expect(paths).toBeGreaterThan(25)
  }, 300_000)

  it('are the types wrong, and publint, have nothing to say', async () => {
    for (const [name, tarball] of Object.entries(tarballs)) {
      const bytes = new Uint8Array(await readFile(tarball))
      const checked = await checkPackage(createPackageFromTarballData(bytes))
      // Everything is ESM only: how a require of CommonJS finds it is not asked.
      const wrong = checked.types === false ? [] : checked.problems.filter(concernsModules)
      expect([name, wrong]).toEqual([name, []])
      const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
      expect([name, messages.map((message) => formatMessage(message, pkg))]).toEqual([name, []])
    }
  }, 300_000)

  it('each has a bill of materials: every dependency that runs, with version and hash', async () => {
    const lock = await readFile(join(ROOT, 'pnpm-lock.yaml'), 'utf8')
    for (const [name, tarball] of Object.entries(tarballs)) {
      const { components, missing } = await readSbom(tarball, lock)
      expect([name, missing]).toEqual([name, []])
      for (const { id, hash, own, locked } of components) {
        if (!own) expect([name, id, hash]).toEqual([name, id, locked])
      }
    }
  }, 60_000)

  it('the installed command runs a chain', async () => {
    const project = join(folder, 'node')
    await createProject(project, Object.fromEntries(Object.keys(tarballs).map(file)))
    const halley = join(project, 'node_modules/.bin/halley')
    expect(await run([halley, 'version'], { cwd: project, timeoutMs: 30_000 })).toBe('0.38.25\n')
    await writeFile(join(project, 'chain.mjs'), CHAIN)
    expect(await run([process.execPath, 'chain.mjs'], { cwd: project, timeoutMs: 30_000 })).toBe('3\n')

    const [rpc, p2p] = [await freePort(), await freePort()]
    const args = ['--home', 'home', '--rpc.laddr', `tcp://127.0.0.1:${rpc}`, '--p2p.laddr', `tcp://127.0.0.1:${p2p}`]
    const node = spawn(halley, ['devnet', ...args], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [node.stdout, node.stderr]) stream.on('data', (chunk) => (said += chunk))
    const ended = new Promise((resolve) => node.once('exit', resolve))
    try {
      const url = `http://127.0.0.1:${rpc}`
      for (let answered = false; !answered; await sleep(50)) {
        if (node.exitCode !== null) throw new Error(`halley ended with ${node.exitCode}: ${said}`)
        answered = await fetch(`${url}/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      }
      const answer = await (await fetch(`${url}/broadcast_tx_commit?tx="name=satoshi"`)).json()
      expect(answer).toMatchObject({ result: { tx_result: { code: 0 } } })
    } finally {
      node.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
  }, 300_000)
})
