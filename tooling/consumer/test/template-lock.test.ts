import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProject } from '@org/create-chain'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../src/packages.ts'
import { lockedPackages, TEMPLATE_LOCK } from '../src/template-lock/make-lock.ts'
import { thirdPartyOf } from '../src/template-lock/third-party.ts'

const ADVICE = 'run "npx pnpm@12 release:lock"'

test('the lockfile of a new project has the versions and hashes of the lockfile of the repository', async () => {
  const lock = await readFile(join(ROOT, 'pnpm-lock.yaml'), 'utf8')
  const packages = await lockedPackages(TEMPLATE_LOCK)
  expect(packages.length).toBeGreaterThan(50)
  for (const { name, version, integrity, resolved } of packages) {
    const found = [`\n  ${name}@${version}:\n`, `\n  '${name}@${version}':\n`].some((head) => {
      const at = lock.indexOf(head)
      return at >= 0 && lock.startsWith(`    resolution: {integrity: ${integrity}`, at + head.length)
    })
    expect([name, version, found ? 'is in pnpm-lock.yaml' : ADVICE]).toEqual([name, version, 'is in pnpm-lock.yaml'])
    expect(resolved).toBe(`https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`)
  }
})

test('the lockfile of a new project has each package that the project and our packages need', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'halley-template-lock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await createProject(join(folder, 'project'))
  const { dependencies, optionalDependencies } = await thirdPartyOf(join(folder, 'project/package.json'))
  const needed = Object.entries({ ...dependencies, ...optionalDependencies })
  expect(needed.length).toBeGreaterThan(10)
  const packages = new Map((await lockedPackages(TEMPLATE_LOCK)).map(({ path, version }) => [path, version]))
  for (const [name, range] of needed) {
    const version = packages.get(`node_modules/${name}`) ?? 'missing'
    // A range such as ^24.0.0 accepts only versions with the same major version.
    const isRight = range.startsWith('^') ? version.split('.')[0] === range.slice(1).split('.')[0] : version === range
    expect([name, version, isRight ? range : ADVICE]).toEqual([name, version, range])
  }
})

test('a new project gets the lockfile under the name that npm reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'halley-template-lock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await createProject(join(folder, 'project'))
  expect(await readFile(join(folder, 'project/package-lock.json'), 'utf8')).toBe(await readFile(TEMPLATE_LOCK, 'utf8'))
})
