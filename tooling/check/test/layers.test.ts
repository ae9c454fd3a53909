import { expect, test } from 'vitest'
import { findLayerFaults } from '../src/layers.ts'
import { LAYER_CANARIES } from '../src/steps.ts'

const canaries = new URL('../canaries/layers', import.meta.url).pathname

test('each import that is not allowed is reported with its file, and no other import', () => {
  expect(findLayerFaults(canaries).toSorted()).toEqual(LAYER_CANARIES)
})
