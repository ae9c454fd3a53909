import { expect, test } from 'vitest'
import { createMessageBytes } from './message-bytes.ts'

test('default: all bytes are counted at once, the rates after a sample, and the recent bytes of a channel fade', () => {
  let now = 5000
  const bytes = createMessageBytes(() => now)
  bytes.add(0x20, 300)
  bytes.add(0x22, 100)
  expect(bytes.flow()).toMatchObject({ bytes: 400, samples: 0, averageRate: 0 })
  expect([0x20, 0x22, 0x30].map(bytes.recent)).toEqual([300, 100, 0])
  now += 1000
  bytes.add(0x20, 200)
  expect(bytes.flow()).toMatchObject({ bytes: 600, averageRate: 400, idleMs: 0, durationMs: 1000 })
  now += 1000
  expect([0x20, 0x22].map(bytes.recent)).toEqual([400, 80])
  now += 2000
  expect(bytes.recent(0x20)).toBe(320)
  now += 3_600_000
  expect(bytes.recent(0x20)).toBe(0)
  expect(bytes.flow()).toMatchObject({ bytes: 600, idleMs: 3_603_000 })
})
