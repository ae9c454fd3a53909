import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname
const PINNED = '#!/bin/sh\necho pinned "$@"\n'

function writeProgram(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** Creates a project with `@org/pinned-node` as npm installs it, and a folder with another Node.js. */
function createProject() {
  const folder = mkdtempSync(join(tmpdir(), 'halley-node-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  const own = join(modules, '@org/pinned-node')
  cpSync(join(root, 'packages/pinned-node/bin'), join(own, 'bin'), { recursive: true })
  // A launcher runs only the program whose hash it contains. In this test, the program is a short script, so its hash
  // is written into the launcher.
  const hash = createHash('sha256').update(PINNED).digest('hex')
  const runtime = readFileSync(join(root, 'apps/node/bin/runtime.sh'), 'utf8')
  mkdirSync(join(own, 'dist'))
  writeFileSync(join(own, 'dist/runtime.sh'), runtime.replace(/wanted=[\da-f]{64}/g, `wanted=${hash}`))
  mkdirSync(join(modules, '.bin'))
  symlinkSync('../@org/pinned-node/bin/node', join(modules, '.bin/node'))
  writeProgram(join(folder, 'other/node'), '#!/bin/sh\necho other "$@"\n')
  const path = [join(modules, '.bin'), join(folder, 'other'), process.env.PATH].join(':')
  return {
    run: () => execFileSync(join(modules, '.bin/node'), ['a', 'b c'], { encoding: 'utf8', env: { PATH: path } }),
    install: () => writeProgram(join(modules, `@org/node-${process.platform}-${process.arch}/bin/node`), PINNED),
  }
}

test('behavior: the command node of a project runs the pinned Node.js', () => {
  const project = createProject()
  project.install()
  expect(project.run()).toBe('pinned a b c\n')
})

test('behavior: without the pinned Node.js, the command node of a project runs the next one on PATH', () => {
  expect(createProject().run()).toBe('other a b c\n')
})
