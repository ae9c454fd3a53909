import { test } from 'vitest'
import { runSeeds } from './run-seeds.ts'

// Two files, so that two cores share them.
test('behavior: a hundred networks with faults from seeds 101 to 200', { timeout: 300_000 }, () => runSeeds(101, 200))
