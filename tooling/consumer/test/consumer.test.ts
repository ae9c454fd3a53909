import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packAll, ROOT, registryAnswers } from '../src/packages.ts'
import { rehearse } from '../src/rehearsal/rehearse.ts'
import { TRIALS } from '../src/rehearsal/trials.ts'
import { readSbom } from '../src/sbom.ts'

const reachable = await registryAnswers()
if (!reachable) console.log('skipped: the consumer test installs from the npm registry, which does not answer')

const MODULES: readonly unknown[] = ['node16-esm', 'bundler']
const concernsModules = (problem: Problem): boolean =>
  !('resolutionKind' in problem) || MODULES.includes(problem.resolutionKind)

describe.skipIf(!reachable)('the published packages', () => {
  let folder = ''
  let tarballs: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'halley-consumer-'))
    tarballs = await packAll(folder)
  }, 300_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('the packages work from a registry, outside of the repository', async () => {
    const steps: string[] = []
    await rehearse((step) => steps.push(step))
    expect(steps.slice(-TRIALS.length)).toEqual(TRIALS.map(({ name }) => name))
  }, 900_000)

  it('the packages pass publint and Are The Types Wrong', async () => {
    for (const [name, tarball] of Object.entries(tarballs)) {
      const bytes = new Uint8Array(await readFile(tarball))
      const checked = await checkPackage(createPackageFromTarballData(bytes))
      // The packages contain only ES modules, so their resolution by `require` is not checked.
      const wrong = checked.types === false ? [] : checked.problems.filter(concernsModules)
      expect([name, wrong]).toEqual([name, []])
      const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
      expect([name, messages.map((message) => formatMessage(message, pkg))]).toEqual([name, []])
    }
  }, 300_000)

  it('each package has a bill of materials with the version and hash of every dependency at run time', async () => {
    const lock = await readFile(join(ROOT, 'pnpm-lock.yaml'), 'utf8')
    for (const [name, tarball] of Object.entries(tarballs)) {
      const { components, missing } = await readSbom(tarball, lock)
      expect([name, missing]).toEqual([name, []])
      for (const { id, hash, own, locked } of components) {
        if (!own) expect([name, id, hash]).toEqual([name, id, locked])
      }
    }
  }, 60_000)
})
