import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, freePortRange } from '@org/golden'
import { run } from '../run.ts'
import { lockedPackages, TEMPLATE_LOCK } from '../template-lock/make-lock.ts'
import { type ProjectCommand, startCommand, untilBlock } from './project-command.ts'
import { firstCommands, readmeCommands } from './project-documents.ts'
import type { Registry } from './registry.ts'
import type { Trial } from './trial.ts'

const MINUTES = 60_000

const MESSAGE = 'an address is 40 hex digits'
const CHANGED_MESSAGE = 'an address has 40 hex digits'

/**
 * Changes a text in the source of the application. Resolves with the seconds until the changed application runs and
 * has replayed the chain.
 */
async function changeApplication(project: string, dev: ProjectCommand): Promise<number> {
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

/** Runs the calls in the README of a project, against the chain whose RPC has this port. */
async function callChain(project: string, registry: Registry, rpc: number): Promise<void> {
  const { calls } = await readmeCommands(project)
  assert.ok(calls.length > 0, 'the README of the project shows no call')
  for (const call of calls) {
    const command = ['sh', '-euc', call.replace('127.0.0.1:26657', `127.0.0.1:${rpc}`)] as const
    const answer = await run(command, { cwd: project, timeoutMs: MINUTES, wholeEnv: registry.env })
    assert.ok('result' in (JSON.parse(answer) as object), `${call} answered ${answer}`)
  }
}

/**
 * Runs the chain for development twice, and returns the measured times as a text. `begin` is the time at which `npm
 * create` began, because the time until the first block includes the installation.
 */
async function useDev(project: string, registry: Registry, begin: number): Promise<string> {
  const [rpc, p2p] = [await freePort(), await freePort()]
  const command = `${(await firstCommands()).dev} -- --rpc.laddr tcp://127.0.0.1:${rpc} --p2p.laddr tcp://127.0.0.1:${p2p}`
  const client = ['npm', 'run', 'client', '--', `127.0.0.1:${rpc}`] as const
  const transfer = () => run(client, { cwd: project, timeoutMs: 2 * MINUTES, wholeEnv: registry.env })
  let figures = ''
  const first = startCommand(project, registry, command)
  try {
    await untilBlock(`http://127.0.0.1:${rpc}`, first)
    const firstBlock = (performance.now() - begin) / 1000
    assert.match(await transfer(), /alice has "999995", bob has "5"/)
    const reload = await changeApplication(project, first)
    assert.match(await transfer(), /alice has "999990", bob has "10"/)
    await callChain(project, registry, rpc)
    figures = `first block with a warm cache of npm after ${firstBlock.toFixed(1)} s, a change after ${reload.toFixed(1)} s`
  } finally {
    await first.stop()
  }
  const second = startCommand(project, registry, command)
  try {
    await untilBlock(`http://127.0.0.1:${rpc}`, second)
    assert.match(await transfer(), /alice has "999985", bob has "15"/)
  } finally {
    await second.stop()
  }
  return figures
}

/** Runs the tests and the type check of a project. */
async function checkProject(project: string, { env }: Registry): Promise<string> {
  const options = { cwd: project, timeoutMs: 2 * MINUTES }
  const tests = await run(['npm', 'test'], { ...options, wholeEnv: { ...env, NO_COLOR: '1' } })
  assert.match(tests, /Tests +5 passed/)
  await run(['npm', 'run', 'check'], { ...options, wholeEnv: env })
  return '5 tests'
}

async function useNetwork(project: string, registry: Registry): Promise<string> {
  // Each of the four validators has three ports. The ports of a validator are ten higher than those of the validator
  // before it.
  const first = await freePortRange(33)
  const network = startCommand(project, registry, `npm run network -- ${first}`)
  try {
    for (let node = 0; node < 4; node++) await untilBlock(`http://127.0.0.1:${first + 10 * node + 1}`, network)
  } finally {
    await network.stop()
  }
  return 'four validators'
}

/** Rejects if npm installed other versions than those in the lockfile of the template. */
async function checkLock(project: string): Promise<void> {
  const versions = async (file: string): Promise<readonly string[]> =>
    (await lockedPackages(file)).map(({ path, version }) => `${path} ${version}`).toSorted()
  assert.deepEqual(await versions(join(project, 'package-lock.json')), await versions(TEMPLATE_LOCK))
}

/**
 * Creates a project in a new folder with the command of the guide, which also installs the packages. Resolves with the
 * folder of the project.
 */
export async function createProject(folder: string, registry: Registry): Promise<string> {
  // npm uses a cache that is empty at first. The user's cache could contain an older build of a package with the same
  // version.
  const env = { ...registry.env, npm_config_cache: join(folder, 'cache') }
  const place = await mkdtemp(join(folder, 'made-'))
  const commands = await firstCommands()
  const command = ['sh', '-euc', `${commands.create} 2>&1`] as const
  const output = await run(command, { cwd: place, timeoutMs: 5 * MINUTES, wholeEnv: env })
  assert.match(output, /added \d+ packages/)
  // npm must not warn about packages that do not run on the machine's Node.js, or about install scripts.
  assert.doesNotMatch(output, /EBADENGINE|install-scripts/)
  const project = join(place, commands.folder)
  await checkLock(project)
  return project
}

/** The scripts that the README of a project shows. The trial runs each of them. */
const SCRIPTS = ['npm run dev', 'npm test', 'npm run client', 'npm run network', 'npm run check']

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
      assert.deepEqual((await readmeCommands(project)).scripts, SCRIPTS)
      const used = await useDev(project, registry, begin)
      const checked = await checkProject(project, registry)
      return `${made}, ${used}, ${checked}, ${await useNetwork(project, registry)}`
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
