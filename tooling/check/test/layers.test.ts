import { expect, test } from 'vitest'
import { findLayerFaults } from '../src/layers.ts'
import { LAYER_CANARIES } from '../src/steps.ts'

const canaries = new URL('../canaries/layers', import.meta.url).pathname

test('each import that is not allowed is named with its file, and no other', () => {
  expect(findLayerFaults(canaries).toSorted()).toEqual(LAYER_CANARIES)
})
