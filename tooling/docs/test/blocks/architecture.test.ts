import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeOf } from './fenced-blocks.ts'
import { root } from './workspace.ts'

const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const drawing = codeOf(architecture).fenced[0]?.text ?? ''

const foldersIn = (text: string): readonly string[] => text.match(/(?:packages|apps)\/[\w-]+/g) ?? []

/**
 * Returns the dependencies that the arrows of a drawing show, as pairs of folders. An arrow `a, b ──► c` shows two
 * dependencies: the folder `a` depends on `c`, and `b` depends on `c`.
 */
function arrowsOf(text: string): readonly (readonly [from: string, to: string])[] {
  const lines = text.split('\n').filter((line) => !/^\s/.test(line))
  return lines.flatMap((line) => {
    const parts = (line.split(': ')[0] ?? '').split(/─+►/).map(foldersIn)
    return parts.slice(1).flatMap((targets, index) => {
      const sources = parts[index] ?? []
      return sources.flatMap((from) => targets.map((to): [string, string] => [from, to]))
    })
  })
}

/** Returns true if the package in the folder `from` depends on the package in the folder `to`. */
function dependsOn(from: string, to: string): boolean {
  const read = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const { dependencies = {}, devDependencies = {} } = read(from)
  return (read(to) as { name: string }).name in { ...dependencies, ...devDependencies }
}

test('default: the drawing of the packages names each package, and no other folder', () => {
  const named = new Set(foldersIn(drawing))
  expect([...named].filter((folder) => !existsSync(join(root, folder, 'package.json')))).toEqual([])
  const all = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  )
  const missing = all.filter((folder) => !new RegExp(`(?:${folder}|\\b${folder.split('/')[1]})\\b`).test(drawing))
  // The package `pinned-node` has no code, so it is not in the drawing. It depends on the npm packages that contain the
  // executable file of Node.js.
  expect(missing).toEqual(['packages/pinned-node'])
})

test('default: each arrow of the drawing is a dependency in the manifest of the package', () => {
  const arrows = arrowsOf(drawing)
  expect(arrows.length).toBeGreaterThan(15)
  expect(arrows.filter(([from, to]) => !dependsOn(from, to))).toEqual([])
})

test('error: an arrow without a dependency is found', () => {
  const arrows = arrowsOf('packages/types ──► packages/rpc: text\napps/node, apps/kvstore ──► packages/abci')
  expect(arrows.map(([from, to]) => [from, to, dependsOn(from, to)])).toEqual([
    ['packages/types', 'packages/rpc', false],
    ['apps/node', 'packages/abci', true],
    ['apps/kvstore', 'packages/abci', true],
  ])
})
