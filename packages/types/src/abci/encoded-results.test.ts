import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ExecTxResult,
  encodeFinalizeBlock,
  encodeResults,
  encodeTxResult,
  ResponseFinalizeBlock,
  TxResult,
} from './index.ts'

const bytes = fc.uint8Array({ maxLength: 300 })
const event = fc.record({
  type: fc.string(),
  attributes: fc.array(fc.record({ key: fc.string(), value: fc.string({ maxLength: 200 }), index: fc.boolean() }), {
    maxLength: 4,
  }),
})
const result = fc
  .record(
    {
      code: fc.nat(),
      data: bytes,
      log: fc.string(),
      gasUsed: fc.bigInt({ min: 0n, max: 1n << 62n }),
      events: fc.array(event, { maxLength: 4 }),
      codespace: fc.string(),
    },
    { requiredKeys: [] },
  )
  .map((given) => ExecTxResult.create(given))
const response = fc
  .record({ events: fc.array(event, { maxLength: 3 }), txResults: fc.array(result, { maxLength: 5 }), appHash: bytes })
  .map((given) => ResponseFinalizeBlock.create(given))

test('default: the same bytes as the schemas write', () => {
  fc.assert(
    fc.property(response, fc.nat(), fc.array(bytes, { minLength: 5, maxLength: 5 }), (given, height, txs) => {
      expect(encodeFinalizeBlock(given)).toEqual(ResponseFinalizeBlock.encode(given))
      const encoded = encodeResults(given.txResults)
      for (const [index, each] of given.txResults.entries()) {
        const place = { height, index, tx: txs[index] as Uint8Array }
        expect(encodeTxResult(place, encoded)).toEqual(TxResult.encode({ ...place, result: each }))
      }
    }),
  )
})

test('edge: heights beyond 32 bits, and no results at all', () => {
  const none = ResponseFinalizeBlock.create({ appHash: Uint8Array.of(1) })
  expect(encodeFinalizeBlock(none)).toEqual(ResponseFinalizeBlock.encode(none))
  const results = Array.from({ length: 300 }, (_, code) => ExecTxResult.create({ code }))
  const place = { height: 2 ** 52 + 5, index: 299, tx: new Uint8Array(200) }
  expect(encodeTxResult(place, encodeResults(results))).toEqual(
    TxResult.encode({ ...place, result: results[299] as ExecTxResult }),
  )
})
