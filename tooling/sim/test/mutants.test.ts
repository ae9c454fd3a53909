import { expect, test } from 'vitest'
import { findPlantedBug } from '../src/find-planted-bugs.ts'

// This test plants only some bugs. `pnpm sim mutants` plants all of them.
test.each([
  'lock-forgotten',
  'conflict-counts',
  'search-before-index',
  'signer-file-not-synced',
  'block-not-synced',
  'extent-before-block',
  'peer-state-kept',
  'wal-not-synced',
  'proposer-skips',
  'sent-though-not',
  'txs-in-one-turn',
  'failed-dial-bans',
  'long-vote-halts',
  'light-first-witness',
])('behavior: the planted bug %s is found by its network', { timeout: 120_000 }, async (name) => {
  expect(await findPlantedBug(name, 0)).toMatchObject({ what: expect.any(String) })
})
