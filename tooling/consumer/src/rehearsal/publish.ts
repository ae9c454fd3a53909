import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinnedProgramOfThisMachine, publishProgram } from '@org/node-packages'
import { ROOT } from '../packages.ts'
import { run } from '../run.ts'
import type { Registry } from './registry.ts'

const MINUTES = 60_000

/**
 * Publishes the package with the pinned Node.js of this machine, as `pnpm release:node` does for every platform, and the
 * built packages with the command of a real release, without a git tag. Returns the packages as `name@version`.
 */
export async function publishAll({ env }: Registry): Promise<readonly string[]> {
  const program = pinnedProgramOfThisMachine(ROOT)
  if (program !== undefined) await publishProgram(program, env)
  const publish = ['npx', '--yes', 'pnpm@12', 'exec', 'changeset', 'publish', '--no-git-tag'] as const
  const output = await run(publish, { cwd: ROOT, timeoutMs: 3 * MINUTES, wholeEnv: env })
  const [, published = ''] = output.split('Successfully published:')
  const packages = published.match(/@org\/[\w-]+@[\w.-]+/g) ?? []
  return program === undefined ? packages : [`${program.name}@${program.version}`, ...packages]
}

/** Makes a project outside of the repository, and installs these packages into it from the registry. */
export async function installFrom(
  { env }: Registry,
  options: { readonly packages: readonly string[]; readonly template?: string },
): Promise<{ readonly folder: string; [Symbol.asyncDispose](): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'halley-outside-'))
  if (options.template) await cp(options.template, folder, { recursive: true })
  const npm = { cwd: folder, timeoutMs: 4 * MINUTES, wholeEnv: env }
  await run(['npm', 'init', '--yes', '--init-type', 'module'], npm)
  await run(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...options.packages], npm)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
