import { expect, test } from 'vitest'
import { makeFirstState } from '../../test/support/first-state.ts'
import { hasWhatConsensusNeeds } from './switch-decision.ts'

const stateAt = (lastBlockHeight: number, extensionsFrom: number) => ({
  ...makeFirstState({ chainId: 'sync', time: 0n, powers: [1n], extensionsFrom }).state,
  lastBlockHeight,
})

test.each([
  ['at the first height', stateAt(0, 1), 0, false, true],
  ['without extensions', stateAt(9, 0), 0, false, true],
  ['before extensions begin', stateAt(9, 10), 0, false, true],
  ['with extensions, and none here', stateAt(10, 10), 0, false, false],
  ['with extensions that were here before', stateAt(10, 10), 0, true, true],
  ['with extensions that came with a block', stateAt(10, 10), 1, false, true],
])('default: %s', (_what, state, blocksSynced, hadExtendedCommit, enough) => {
  expect(hasWhatConsensusNeeds({ state, blocksSynced, hadExtendedCommit })).toBe(enough)
})
