import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, freePortRange } from '@org/golden'
import { run } from '../run.ts'
import type { Registry } from './registry.ts'
import type { Trial } from './trial.ts'
import { whenHealthy } from './when-healthy.ts'

const MINUTES = 60_000

interface Script {
  /** Returns an error text if the script has ended; `undefined` while the script runs. */
  readonly ended: () => string | undefined
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** Starts `npm run` with these arguments. The script runs until it is stopped. */
function startScript(folder: string, { env }: Registry, args: readonly string[]): Script {
  // The script has its own process group, so that a signal reaches all of its processes. npm does not send a signal
  // to every process that it started.
  const npm = spawn('npm', ['run', ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (output += chunk))
  const closed = new Promise((resolve) => npm.once('close', resolve))
  return {
    output: () => output,
    ended: () => (npm.exitCode === null ? undefined : `npm run ${args[0]} ended with ${npm.exitCode}:\n${output}`),
    stop: async () => {
      if (npm.pid !== undefined && npm.exitCode === null) process.kill(-npm.pid, 'SIGTERM')
      await closed
    },
  }
}

async function untilBlock(url: string, { ended }: Script): Promise<void> {
  await whenHealthy(url, ended)
  for (let height = 0; height < 1; await sleep(50)) {
    const reason = ended()
    if (reason !== undefined) throw new Error(reason)
    const { result } = (await (await fetch(`${url}/status`)).json()) as StatusAnswer
    height = Number(result.sync_info.latest_block_height)
  }
}

interface StatusAnswer {
  readonly result: { readonly sync_info: { readonly latest_block_height: string } }
}

const MESSAGE = 'an address is 40 hex digits'
const CHANGED_MESSAGE = 'an address has 40 hex digits'

/**
 * Changes a text in the source of the application. Resolves with the seconds until the changed application runs and
 * has replayed the chain.
 */
async function changeApplication(project: string, dev: Script): Promise<number> {
  const file = join(project, 'src/app.ts')
  const text = await readFile(file, 'utf8')
  assert.ok(text.includes(MESSAGE), 'the application of the project does not contain the text to change')
  const begin = performance.now()
  await writeFile(file, text.replace(MESSAGE, CHANGED_MESSAGE))
  while (!dev.output().includes('Ready at block')) {
    const reason = dev.ended()
    if (reason !== undefined) throw new Error(reason)
    await sleep(50)
  }
  assert.ok(!dev.output().includes('A new chain begins'), dev.output())
  return (performance.now() - begin) / 1000
}

/**
 * Runs the scripts of a project, and returns the measured times as a text. `begin` is the time at which `npm create`
 * began. It is needed because the time until the first block includes the installation.
 */
async function useProject(project: string, registry: Registry, begin: number): Promise<string> {
  const options = { cwd: project, timeoutMs: 2 * MINUTES, wholeEnv: registry.env }
  const [rpc, p2p] = [await freePort(), await freePort()]
  const ports = ['--rpc.laddr', `tcp://127.0.0.1:${rpc}`, '--p2p.laddr', `tcp://127.0.0.1:${p2p}`]
  const dev = (): Script => startScript(project, registry, ['dev', '--', ...ports])
  const transfer = () => run(['npm', 'run', 'client', '--', `127.0.0.1:${rpc}`], options)
  let figures = ''
  const first = dev()
  try {
    await untilBlock(`http://127.0.0.1:${rpc}`, first)
    const firstBlock = (performance.now() - begin) / 1000
    assert.match(await transfer(), /alice has "999995", bob has "5"/)
    const reload = await changeApplication(project, first)
    assert.match(await transfer(), /alice has "999990", bob has "10"/)
    figures = `first block with a warm cache of npm after ${firstBlock.toFixed(1)} s, a change after ${reload.toFixed(1)} s`
  } finally {
    await first.stop()
  }
  const second = dev()
  try {
    await untilBlock(`http://127.0.0.1:${rpc}`, second)
    assert.match(await transfer(), /alice has "999985", bob has "15"/)
  } finally {
    await second.stop()
  }
  const tests = await run(['npm', 'test'], { ...options, wholeEnv: { ...registry.env, NO_COLOR: '1' } })
  assert.match(tests, /Tests +5 passed/)
  await run(['npm', 'run', 'check'], options)
  return `${figures}, 5 tests`
}

async function useNetwork(project: string, registry: Registry): Promise<string> {
  // Each of the four validators has three ports. The ports of a validator are ten higher than those of the validator
  // before it.
  const first = await freePortRange(33)
  const network = startScript(project, registry, ['network', '--', String(first)])
  try {
    for (let node = 0; node < 4; node++) await untilBlock(`http://127.0.0.1:${first + 10 * node + 1}`, network)
  } finally {
    await network.stop()
  }
  return 'four validators'
}

/** Creates a project in a new folder, and installs its packages. */
async function createProject(folder: string, registry: Registry): Promise<string> {
  // npm uses a cache that is empty at first. The user's cache could contain an older build of a package with the same
  // version.
  const env = { ...registry.env, npm_config_cache: join(folder, 'cache'), npm_config_yes: 'true' }
  const place = await mkdtemp(join(folder, 'made-'))
  const create = ['npm', 'create', '@org/chain', 'my-chain', '--', '--no-install'] as const
  await run([...create], { cwd: place, timeoutMs: MINUTES, wholeEnv: env })
  const project = join(place, 'my-chain')
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'] as const
  await run([...install], { cwd: project, timeoutMs: 4 * MINUTES, wholeEnv: env })
  return project
}

export const CREATE_TRIAL: Trial = {
  name: 'npm create @org/chain: dev, change, client, test, network',
  async run(registry) {
    const folder = await mkdtemp(join(tmpdir(), 'halley-created-'))
    try {
      // The first project fills the cache of npm. Therefore the time of the second project does not include
      // downloads.
      await rm(await createProject(folder, registry), { recursive: true })
      const begin = performance.now()
      const project = await createProject(folder, registry)
      const made = `installed after ${((performance.now() - begin) / 1000).toFixed(1)} s`
      const used = await useProject(project, registry, begin)
      return `${made}, ${used}, ${await useNetwork(project, registry)}`
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
