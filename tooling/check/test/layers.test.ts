import { expect, test } from 'vitest'
import { findLayerFaults } from '../src/layers.ts'

const canaries = new URL('../canaries/layers', import.meta.url).pathname

test('behavior: an import against the layers is named with its file', () => {
  expect(findLayerFaults(canaries)).toEqual(['packages/rpc/src/index.ts: @org/rpc must not import @org/engine'])
})
