import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@org/golden'
import { run } from '../run.ts'
import type { Registry } from './registry.ts'
import type { Trial } from './trial.ts'
import { whenHealthy } from './when-healthy.ts'

const MINUTES = 60_000

interface Script {
  /** The reason if the script has ended. */
  readonly ended: () => string | undefined
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** Starts `npm run <name>`, which continues until it is stopped. */
function startScript(folder: string, { env }: Registry, args: readonly string[]): Script {
  // A process group of its own: npm does not pass a signal on to each process that it started.
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

/** The seconds from `npm create` to the first block, with the packages of a warm cache. */
async function useProject(project: string, registry: Registry, begin: number): Promise<string> {
  const options = { cwd: project, timeoutMs: 2 * MINUTES, wholeEnv: registry.env }
  const [rpc, p2p] = [await freePort(), await freePort()]
  const ports = ['--rpc.laddr', `tcp://127.0.0.1:${rpc}`, '--p2p.laddr', `tcp://127.0.0.1:${p2p}`]
  const dev = startScript(project, registry, ['dev', '--', ...ports])
  let firstBlock = 0
  try {
    await untilBlock(`http://127.0.0.1:${rpc}`, dev)
    firstBlock = (performance.now() - begin) / 1000
    const client = await run(['npm', 'run', 'client', '--', `127.0.0.1:${rpc}`], options)
    assert.match(client, /alice has "999995", bob has "5"/)
  } finally {
    await dev.stop()
  }
  const tests = await run(['npm', 'test'], { ...options, wholeEnv: { ...registry.env, NO_COLOR: '1' } })
  assert.match(tests, /Tests +5 passed/)
  await run(['npm', 'run', 'check'], options)
  return `first block after ${firstBlock.toFixed(1)} s, 5 tests`
}

async function useNetwork(project: string, registry: Registry): Promise<string> {
  // The network takes 33 ports from here on.
  const first = Math.min(await freePort(), 65_000)
  const network = startScript(project, registry, ['network', '--', String(first)])
  try {
    for (let node = 0; node < 4; node++) await untilBlock(`http://127.0.0.1:${first + 10 * node + 1}`, network)
  } finally {
    await network.stop()
  }
  return 'four validators'
}

export const CREATE_TRIAL: Trial = {
  name: 'npm create @org/chain: dev, client, test, network',
  async run(registry) {
    const folder = await mkdtemp(join(tmpdir(), 'halley-created-'))
    try {
      const begin = performance.now()
      // A cache of its own: npm would use a package of the same version that it fetched before.
      const create = { ...registry.env, npm_config_cache: join(folder, 'cache'), npm_config_yes: 'true' }
      const options = { cwd: folder, timeoutMs: MINUTES, wholeEnv: create }
      await run(['npm', 'create', '@org/chain', 'my-chain', '--', '--no-install'], options)
      const project = join(folder, 'my-chain')
      const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'] as const
      await run([...install], { cwd: project, timeoutMs: 4 * MINUTES, wholeEnv: registry.env })
      const used = await useProject(project, registry, begin)
      return `${used}, ${await useNetwork(project, registry)}`
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
