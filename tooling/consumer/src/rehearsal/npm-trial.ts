import assert from 'node:assert/strict'
import { lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinnedProgramOfThisMachine } from '@org/node-packages'
import { ROOT } from '../packages.ts'
import { run } from '../run.ts'
import { createProject } from './create-trial.ts'
import type { Registry } from './registry.ts'
import type { Trial } from './trial.ts'

const MINUTES = 60_000

/**
 * The version of npm that Node.js 20 contains. If several packages have a command of the same name, this npm links none
 * of the commands. Packages for other platforms count, too: npm removes them, but does not link the command of the only
 * package that remains.
 */
const OLD_NPM = '10.8.2'

/**
 * Installs npm {@link OLD_NPM} into `folder`. Resolves with a copy of `registry` that has a different PATH in its
 * member `env`. A command that runs with the `env` of the copy uses the installed npm.
 */
async function withOldNpm(folder: string, registry: Registry): Promise<Registry> {
  await mkdir(folder)
  const install = ['npm', 'install', '--no-audit', '--no-fund', `npm@${OLD_NPM}`] as const
  await run(install, { cwd: folder, timeoutMs: 2 * MINUTES, wholeEnv: registry.env })
  const env = { ...registry.env, PATH: `${join(folder, 'node_modules/.bin')}:${registry.env.PATH}` }
  assert.equal((await run(['npm', '--version'], { cwd: folder, timeoutMs: MINUTES, wholeEnv: env })).trim(), OLD_NPM)
  return { ...registry, env }
}

/**
 * Returns true for a Node.js from version 24.21 up to the last 24.x. On such a machine, npm does not install
 * `@org/pinned-node`, because the `engines` of the package exclude these versions.
 */
function isPinnedLine(version: string): boolean {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version) ?? []
  return major === '24' && Number(minor) >= 21
}

/**
 * Checks the link `node_modules/.bin/node` of a project. With this link, the scripts of the project run the pinned
 * Node.js. If npm installs `@org/pinned-node` on this machine, the link must lead to the script of this package, and
 * the script must run the pinned Node.js. npm does not install the package if the machine already has a Node.js of the
 * pinned line ({@link isPinnedLine}). In this case, or if there is no pinned Node.js for the platform, the link must
 * not exist. Rejects if the check fails.
 */
async function checkNodeCommand(project: string, { env }: Registry): Promise<void> {
  const command = { cwd: project, timeoutMs: MINUTES, wholeEnv: env }
  const machine = (await run(['node', '--version'], command)).trim()
  const program = pinnedProgramOfThisMachine(ROOT)
  const link = join(project, 'node_modules/.bin/node')
  if (program === undefined || isPinnedLine(machine)) {
    await assert.rejects(lstat(link), { code: 'ENOENT' }, 'npm linked a Node.js that this machine does not need')
    return
  }
  assert.equal(await realpath(link), await realpath(join(project, 'node_modules/@org/pinned-node/bin/node')))
  const version = (await run(['npm', 'exec', '--', 'node', '--version'], command)).trim()
  assert.equal(version, `v${program.version}`)
}

export const NPM_TRIAL: Trial = {
  name: `npm ${OLD_NPM}: npm create and npm ci link the pinned node`,
  async run(registry) {
    const folder = await mkdtemp(join(tmpdir(), 'halley-npm-'))
    try {
      const old = await withOldNpm(join(folder, 'npm'), registry)
      const project = await createProject(folder, old)
      await checkNodeCommand(project, old)
      await rm(join(project, 'node_modules'), { recursive: true })
      const install = ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'] as const
      await run(install, { cwd: project, timeoutMs: 4 * MINUTES, wholeEnv: old.env })
      await checkNodeCommand(project, old)
      return 'node_modules/.bin/node is the script of @org/pinned-node, after each of them'
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
