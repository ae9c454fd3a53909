import { test } from 'vitest'
import { runSeeds } from './run-seeds.ts'

// The seeds are in two files, so that two cores can run them at the same time.
test('behavior: a hundred networks with faults from seeds 101 to 200', { timeout: 300_000 }, () => runSeeds(101, 200))
