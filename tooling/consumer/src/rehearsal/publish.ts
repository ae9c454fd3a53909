import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishRelease } from '@org/node-packages'
import { ROOT } from '../packages.ts'
import { run } from '../run.ts'
import type { Registry } from './registry.ts'
import { rehearsalPrograms } from './stub-programs.ts'

const MINUTES = 60_000

interface Packument {
  /** The times at which the package was created and last changed, and at which each version was published. */
  readonly time: Readonly<Record<string, string>>
}

/** Resolves with the time at which the registry got a package, in milliseconds. */
async function publishedAt({ url }: Registry, id: string): Promise<number> {
  const at = id.lastIndexOf('@')
  const answer = await fetch(url + encodeURIComponent(id.slice(0, at)))
  const { time } = (await answer.json()) as Packument
  return Date.parse(time[id.slice(at + 1)] ?? '')
}

/**
 * Publishes all packages with the function of a real release, but without a git tag. The package for the platform of
 * this machine has the real Node.js, and the packages for all other platforms have stubs. Rejects if `@org/pinned-node`
 * was published before a package on which it depends. Resolves with the published packages as `name@version`.
 */
export async function publishAll(registry: Registry): Promise<readonly string[]> {
  const programs = await rehearsalPrograms(registry)
  const packages = await publishRelease({ root: ROOT, programs, flags: ['--no-git-tag'], env: registry.env })
  const pinned = packages.find((id) => id.startsWith('@org/pinned-node@'))
  assert.ok(pinned !== undefined, `@org/pinned-node was not published: ${packages.join(', ')}`)
  const begin = await publishedAt(registry, pinned)
  for (const { name, version } of programs) {
    const time = await publishedAt(registry, `${name}@${version}`)
    assert.ok(time < begin, `${name} was published at ${time}, and ${pinned}, which depends on it, at ${begin}`)
  }
  return packages
}

/** Makes a project outside of the repository, and installs `options.packages` into it from the registry. */
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
