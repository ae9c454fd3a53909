import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExecTxResult } from '../abci/index.ts'
import { hashFromByteSlices } from '../merkle/tree.ts'
import { hashResults } from './results.ts'

const result = fc
  .record({
    code: fc.integer({ min: 0, max: 1 }),
    data: fc.uint8Array({ maxLength: 1 }),
    gasUsed: fc.bigInt({ min: 0n, max: 1n }),
    log: fc.string(),
  })
  .map((given) => ExecTxResult.create(given))

test('default: the hash is the root over each result without log, info and events', () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 9 }), (results) => {
      const leaves = results.map(({ code, data, gasWanted, gasUsed }) =>
        ExecTxResult.encode(ExecTxResult.create({ code, data, gasWanted, gasUsed })),
      )
      expect(hashResults(results)).toEqual(hashFromByteSlices(leaves))
    }),
  )
})
