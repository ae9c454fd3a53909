import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findExportFaults, listExports } from '../src/exports.ts'
import { EXPORTS_CANARY } from '../src/exports-step.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const canaries = fileURLToPath(new URL('../canaries/exports', import.meta.url))

test('the exports of each published package equal its list', () => {
  expect(findExportFaults(root)).toEqual([])
})

test('added and removed names, changed kinds and patterns of entries are found', () => {
  expect(findExportFaults(canaries, ['packages/one'])).toEqual(EXPORTS_CANARY)
})

test('a list contains each entry, and the names and kinds that it exports', () => {
  const list = listExports(root, ['packages/types']).get('packages/types')?.split('\n') ?? []
  const p2p = list.slice(list.indexOf('@org/types/p2p'))
  expect(p2p).toContain('  PexMessage: value and type')
  expect(list).toContain('  makeBlock: function')
  expect(list).toContain('  Header: value and interface')
  expect(list).toContain('  BlockContent: interface')
  expect(list).toContain('  CanonicalPartSetHeader: value and type')
})
