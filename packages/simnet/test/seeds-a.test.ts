import { test } from 'vitest'
import { runSeeds } from './run-seeds.ts'

// Two files, so that two cores share them.
test('behavior: a hundred networks with faults from seeds 1 to 100', { timeout: 300_000 }, () => runSeeds(1, 100))
