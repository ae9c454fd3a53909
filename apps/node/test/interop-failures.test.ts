import { unpackHome } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { makeHome } from './support/node.ts'
import { findCometbft, HALLEY, run, temporaryFolder } from './support/process.ts'

const cometbft = findCometbft() ?? ''

/**
 * Runs the same command of Halley and of the reference on one home. Removes the code at the end of Halley's error,
 * because the reference has no codes.
 */
async function both(home: string, args: readonly string[]): Promise<readonly [ours: unknown, theirs: unknown]> {
  const ours = await run(HALLEY, [...args, '--home', home])
  const theirs = await run(cometbft, [...args, '--home', home])
  return [{ ...ours, stderr: ours.stderr.replace(/ \[[A-Z_]+\]$/m, '') }, theirs]
}

describe.skipIf(cometbft === '')('commands that fail (skipped without a cometbft on PATH)', () => {
  test.each([[['rollback']], [['reindex-event']]])(
    'error: %j without a chain ends as in the reference',
    async (args) => {
      const [ours, theirs] = await both(await makeHome(temporaryFolder()), args)
      expect(ours).toEqual(theirs)
    },
  )

  test.each([[['--start-height', '99999']], [['--start-height', '5', '--tx_index.indexer', 'null']]])(
    'error: reindex-event with %j ends as in the reference',
    async (flags) => {
      const home = temporaryFolder()
      await unpackHome('kvstore-single/home.tar.gz', home)
      // The reference has no flag for the indexer, so the test chooses the indexer by an environment variable.
      const sink = flags.includes('null') ? { CMT_TX_INDEX_INDEXER: 'null', HALLEY_TX_INDEX_INDEXER: 'null' } : {}
      const args = ['reindex-event', '--home', home, ...flags.filter((flag) => !/indexer|null/.test(flag))]
      const ours = await run(HALLEY, args, sink)
      const theirs = await run(cometbft, args, sink)
      expect(theirs.stdout).toContain('event re-index failed')
      expect(ours).toEqual(theirs)
    },
  )
})
