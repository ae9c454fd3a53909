import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { hasTerminal, onTerminal } from './support/terminal.ts'

const BIN = fileURLToPath(new URL('../bin', import.meta.url))
const BUNDLE = 'node_modules/.cache/bundle/main.mjs'

test.each([
  'apps/node/bin/halley',
  'apps/kvstore/bin/kvstore',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'packages/simnet/README.md',
])('default: %s names the same version of pnpm as the README', (file) => {
  const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
  const versions = (text: string): string[] =>
    [...text.matchAll(/npx pnpm@([0-9.]*[0-9])/g)].map((match) => match[1] ?? '')
  const [wanted] = versions(read('README.md'))
  expect(wanted).toMatch(/^\d+\.\d+\.\d+$/)
  expect(new Set([...versions(read('README.md')), ...versions(read(file))])).toEqual(new Set([wanted]))
})

describe('the launcher', () => {
  let root = ''
  let app = ''

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'halley-launcher-'))
    app = join(root, 'apps/node')
    mkdirSync(join(app, 'bin'), { recursive: true })
    cpSync(BIN, join(app, 'bin'), { recursive: true })
    return () => rmSync(root, { recursive: true, force: true })
  })

  function write(file: string, text: string): void {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }

  /** Makes a small repository: source files of three packages, and a lock file. */
  function makeRepository(): void {
    write('apps/node/src/main.ts', 'const what: string = "sources"; console.log(what)')
    write('apps/kvstore/src/index.ts', '')
    write('packages/engine/src/index.ts', '')
    write('pnpm-lock.yaml', '')
  }

  const makeBundle = (): void => write(`apps/node/${BUNDLE}`, 'console.log("bundle")')

  /**
   * Runs the launcher with a PATH that has only the usual tools and a `node` of this version. `terminal`: the launcher
   * runs on a terminal.
   */
  function launch(version: string, terminal = false): { readonly status: number | null; readonly output: string } {
    write('fake/version.cjs', `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`)
    write('fake/node', `#!/bin/sh\nexec '${process.execPath}' --require '${root}/fake/version.cjs' "$@"\n`)
    chmodSync(join(root, 'fake/node'), 0o755)
    const command = join(app, 'bin/halley')
    const [file, args] = terminal ? onTerminal(`${command} version`) : [command, ['version']]
    const { status, stdout, stderr } = spawnSync(file, args, {
      encoding: 'utf8',
      env: { PATH: `${root}/fake:/usr/bin:/bin` },
    })
    return { status, output: `${stdout}${stderr}`.replaceAll('\r\n', '\n') }
  }

  test('default: without the pinned runtime the sources run with a Node.js 24 on PATH', () => {
    makeRepository()
    expect(launch('24.0.0')).toEqual({ status: 0, output: 'sources\n' })
  })

  test('behavior: a CDPATH in the environment does not lead the launcher to another folder', () => {
    makeRepository()
    launch('24.0.0')
    const env = { PATH: `${root}/fake:/usr/bin:/bin`, CDPATH: `.:${root}` }
    const { stdout, stderr } = spawnSync('sh', ['apps/node/bin/halley'], { cwd: root, encoding: 'utf8', env })
    expect(stdout + stderr).toBe('sources\n')
  })

  test.each(['1g', '-5', '512 '])('error: HALLEY_HEAP_MB=%j is refused with the remedy', (heap) => {
    makeRepository()
    launch('24.0.0')
    const env = { PATH: `${root}/fake:/usr/bin:/bin`, HALLEY_HEAP_MB: heap }
    const { status, stdout, stderr } = spawnSync(join(app, 'bin/halley'), { encoding: 'utf8', env })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'halley: HALLEY_HEAP_MB must be a whole number of megabytes, such as 512: correct it, or leave it unset\n',
    )
  })

  test('error: without the pinned runtime an older Node.js is refused with the remedy', () => {
    makeRepository()
    for (const version of ['20.19.4', '22.22.0', '23.11.0']) {
      expect(launch(version)).toEqual({
        status: 1,
        output:
          "halley: no usable Node.js runtime. Run 'npx pnpm@12.21.0 install' in the repository, or put Node.js 24.0 or newer on PATH.\n",
      })
    }
  })

  test('behavior: the published package also runs with an older Node.js, with which the sources do not run', () => {
    write('apps/node/dist/bundle/main.mjs', 'console.log("published")')
    expect(launch('22.15.0')).toEqual({ status: 0, output: 'published\n' })
    const { status, output } = launch('22.14.0')
    expect(status).toBe(1)
    expect(output).toContain('Node.js 22.15 or newer')
  })

  test('behavior: a bundle runs until a source, or the list of files, or a dependency changes', () => {
    makeRepository()
    const changes = [
      () => write('packages/engine/src/index.ts', 'export {}'),
      () => write('apps/kvstore/src/more.ts', ''),
      () => rmSync(join(root, 'apps/kvstore/src/more.ts')),
      () => write('pnpm-lock.yaml', 'other'),
    ]
    for (const change of changes) {
      rmSync(join(app, BUNDLE), { force: true })
      makeBundle()
      expect(launch('24.0.0').output).toBe('bundle\n')
      change()
      expect(launch('24.0.0').output).toBe('sources\n')
    }
  })

  test.skipIf(!hasTerminal)(
    'behavior: on a terminal the launcher reports a slow start without a bundle (skipped without the script command of util-linux)',
    () => {
      makeRepository()
      makeBundle()
      expect(launch('24.0.0', true).output).toBe('bundle\n')
      write('packages/engine/src/index.ts', 'export {}')
      expect(launch('24.0.0', true).output).toBe(
        "halley: the sources are newer than their bundle; 'npx pnpm@12.21.0 run prepare' makes starts faster again\nsources\n",
      )
      expect(launch('24.0.0').output).toBe('sources\n')
    },
  )
})
