import { Event, EventAttribute, ExecTxResult, ResponseCheckTx } from '@org/types/abci'
import type { MessageSchema } from '@org/types/schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FAST_CHECKS } from './fast-checks.ts'
import { checkOfMessage } from './messages.ts'

const attribute = { key: 'k', value: 'v', index: true }
const result = { code: 1, data: new Uint8Array(1), log: 'l', info: 'i', gasWanted: 1n, gasUsed: -1n, codespace: 'c' }
const event = { type: 'e', attributes: [attribute] }
const examples: readonly (readonly [string, MessageSchema<never>, object])[] = [
  ['ExecTxResult', ExecTxResult as never, { ...result, events: [event] }],
  ['ResponseCheckTx', ResponseCheckTx as never, { ...result, events: [event] }],
  ['Event', Event as never, event],
  ['EventAttribute', EventAttribute as never, attribute],
]

const odd = fc.constantFrom<unknown>(
  ...[undefined, null, 0, -1, 1.5, 2 ** 32 - 1, 2 ** 32, -0, Number.NaN, 0n, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n)],
  ...[-(2n ** 63n) - 1n, '', 'text', true, {}, [], [1], [null], [event], [{ ...event, extra: 1 }], [{ type: 'e' }]],
  ...[[attribute], [{ ...attribute, index: 1 }], [{ ...attribute, extra: 1 }], new Uint8Array(2), [[]], () => 0],
)

test.each(examples)('behavior: %s: the fast check and the loop over the schema accept the same', (_, codec, whole) => {
  const fast = FAST_CHECKS.get(codec)
  const { fits } = checkOfMessage(codec)
  expect(fast?.(whole)).toBe(true)
  expect(fits(whole)).toBe(true)
  const names = [...Object.keys(whole), 'extra']
  for (const name of names) {
    const { [name]: _left, ...rest } = whole as Record<string, unknown>
    expect(fast?.(rest)).toBe(fits(rest))
  }
  fc.assert(
    fc.property(fc.constantFrom(...names), odd, (name, value) => {
      const changed = { ...whole, [name]: value }
      expect(fast?.(changed)).toBe(fits(changed))
      expect(fast?.(value)).toBe(fits(value))
    }),
    { numRuns: 2000 },
  )
})
