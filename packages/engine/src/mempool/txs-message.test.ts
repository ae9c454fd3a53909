import { isCodedError } from '@org/runtime'
import { MempoolMessage } from '@org/types/messages'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTxsMessage } from './txs-message.ts'

const encode = (...sizes: readonly number[]): Uint8Array =>
  MempoolMessage.encode({ sum: { case: 'txs', value: { txs: sizes.map((size) => new Uint8Array(size)) } } })
const check = (bytes: Uint8Array, maxTxBytes = 10, maxBatchBytes = 0) =>
  expect(() => openTxsMessage(bytes, { maxTxBytes, maxBatchBytes }))

test('default: one transaction within the limit passes', () => {
  check(encode(10)).not.toThrow()
  check(encode(5, 5)).not.toThrow()
  check(encode(10, 10), 10, 20).not.toThrow()
  check(encode(1000), 0, 0).not.toThrow()
})

test('error: invalid messages are refused before they are decoded', () => {
  check(encode()).toThrow('mempool message contains no transactions')
  check(new Uint8Array(0)).toThrow('mempool message contains no transactions')
  check(encode(1, 0)).toThrow('mempool batch contains an empty transaction')
  check(encode(11)).toThrow('transaction size 11 exceeds max_tx_bytes 10')
  check(encode(5, 6)).toThrow('mempool batch exceeds 10 byte budget')
  check(encode(10, 10, 1), 10, 20).toThrow('mempool batch exceeds 20 byte budget')
})

test('behavior: returns the transactions of the last list, as the decoder does, without copies', () => {
  const last = encode(3, 1, 2)
  const bytes = Uint8Array.from([...encode(5), ...last, 0x18, 7])
  const { count, txs } = openTxsMessage(bytes, { maxTxBytes: 10, maxBatchBytes: 100 })
  expect([...txs()]).toEqual(MempoolMessage.decode(bytes).sum?.value.txs)
  expect(count).toBe(3)
  expect([...txs()].every(({ buffer }) => buffer === bytes.buffer)).toBe(true)
})

test('property: refuses and returns the same as the decoder', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }).map((sizes) => encode(...sizes)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const bytes = Uint8Array.from(pieces.flatMap((one) => [...one]))
      let txs: readonly Uint8Array[]
      try {
        txs = [...openTxsMessage(bytes, { maxTxBytes: 0, maxBatchBytes: 0 }).txs()]
      } catch (error) {
        expect(isCodedError(error)).toBe(true)
        return
      }
      expect(MempoolMessage.decode(bytes).sum?.value.txs).toEqual(txs)
    }),
    { numRuns: 2000 },
  )
})

test('error: garbage gives a coded error or passes, and never hangs', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        openTxsMessage(bytes, { maxTxBytes: 10, maxBatchBytes: 20 })
      } catch (error) {
        expect(isCodedError(error)).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})
