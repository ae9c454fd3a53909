import { expect, test } from 'vitest'
import { findLayerFaults } from '../src/layers.ts'

const canaries = new URL('../canaries/layers', import.meta.url).pathname

test('each import that is not allowed is named with its file', () => {
  expect(findLayerFaults(canaries).toSorted()).toEqual([
    'packages/engine/src/consensus/machine/index.ts: the room consensus/machine must not import @org/p2p',
    'packages/engine/src/store/index.ts: the room store must not use consensus/machine',
    'packages/rpc/src/index.ts: @org/rpc must not import @org/engine',
    'tooling/tool/src/main.ts: ../../../packages/engine/src/store/index.ts is outside of the package',
    'tooling/tool/src/main.ts: @org/rpc is not among the dependencies of @org/tool',
  ])
})
