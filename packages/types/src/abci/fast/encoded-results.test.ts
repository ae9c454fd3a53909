import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTxResultEncoder, ExecTxResult, encodeFinalizeBlock, ResponseFinalizeBlock, TxResult } from '../index.ts'

const bytes = fc.uint8Array({ maxLength: 300 })
/**
 * Texts with one or several bytes per character. Their lengths are near the lengths at which the length prefix needs
 * one more byte.
 */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ minLength: 100, maxLength: 140 }),
  // Bytes that are not UTF-8, in their escaped form.
  fc.constantFrom('\udc80', 'a\udcffb', 'é'.repeat(64), 'x'.repeat(127), 'x'.repeat(128), 'é'.repeat(8200)),
)
const event = fc.record({
  type: text,
  attributes: fc.array(fc.record({ key: text, value: text, index: fc.boolean() }), { maxLength: 4 }),
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

test('default: the encoder writes the same bytes as the schemas', () => {
  fc.assert(
    fc.property(response, fc.nat(), fc.array(bytes, { minLength: 5, maxLength: 5 }), (given, height, txs) => {
      expect(encodeFinalizeBlock(given)).toEqual(ResponseFinalizeBlock.encode(given))
      const encode = createTxResultEncoder(given.txResults)
      for (const [index, each] of given.txResults.entries()) {
        const place = { height, index, tx: txs[index] as Uint8Array }
        expect(encode(place)).toEqual(TxResult.encode({ ...place, result: each }))
      }
    }),
  )
})

test('edge: the encoder accepts heights beyond 32 bits and blocks without results', () => {
  const none = ResponseFinalizeBlock.create({ appHash: Uint8Array.of(1) })
  expect(encodeFinalizeBlock(none)).toEqual(ResponseFinalizeBlock.encode(none))
  const results = Array.from({ length: 300 }, (_, code) => ExecTxResult.create({ code }))
  const place = { height: 2 ** 52 + 5, index: 299, tx: new Uint8Array(200) }
  expect(createTxResultEncoder(results)(place)).toEqual(
    TxResult.encode({ ...place, result: results[299] as ExecTxResult }),
  )
})
