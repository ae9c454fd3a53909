import { expect, test } from 'vitest'
import { createDialPlan } from './dial-plan.ts'

const address = (i: number) => ({ id: 'a'.repeat(40), ip: `10.0.${i >> 8}.${i & 255}`, port: 1 })

/** Returns the waits before the attempts, in seconds. Every attempt fails. */
function waits(persistent?: { readonly maxMs: number }): { readonly waits: readonly number[]; readonly end: string } {
  let now = 0
  const plan = createDialPlan(() => now)
  const found: number[] = []
  for (;;) {
    const from = now
    let verdict = plan.mayDial(address(1), 0.5, persistent)
    for (; verdict === 'later'; verdict = plan.mayDial(address(1), 0.5, persistent)) now += 500
    if (verdict === 'never' || found.length === 20) return { waits: found, end: verdict }
    found.push((now - from) / 1000)
    plan.failed(address(1))
  }
}

test('default: an address is dialled after 2, 4, 8 … seconds plus jitter, and never again after 17 failures', () => {
  const { waits: found, end } = waits()
  expect(end).toBe('never')
  expect(found).toEqual([0, ...Array.from({ length: 16 }, (_, i) => 2 ** (i + 1) + 0.5)])
})

test('behavior: a persistent peer is dialled again without end, and waits are at most as long as configured', () => {
  const { waits: found, end } = waits({ maxMs: 10_000 })
  expect(end).not.toBe('never')
  expect(found).toEqual([0, 2.5, 4.5, 8.5, ...Array.from({ length: 16 }, () => 10)])
})

test('behavior: a success resets the wait, and the number of stored peers is bounded', () => {
  const plan = createDialPlan(() => 0, 10)
  plan.failed(address(1))
  expect(plan.mayDial(address(1), 0)).toBe('later')
  plan.forget(address(1))
  expect(plan.mayDial(address(1), 0)).toBe('now')
  for (let i = 0; i < 12; i++) plan.failed(address(i))
  expect([0, 1, 2, 11].map((i) => plan.mayDial(address(i), 0))).toEqual(['now', 'now', 'later', 'later'])
})
