import { ZERO_TIME } from '@org/types/time'
import { expect, test } from 'vitest'
import { createKnownAddress, isBad, type KnownAddress } from './known-address.ts'

const MINUTE = 60_000_000_000n
const DAY = 1440n * MINUTE
const NOW = 1_700_000_000_000_000_000n
const place = { id: 'a'.repeat(40), ip: '1.2.3.4', port: 1 }

test.each<readonly [string, Partial<KnownAddress>, boolean]>([
  ['received a day ago', { lastAttempt: NOW - DAY }, false],
  ['failed three times, without a success', { lastAttempt: NOW - 2n * MINUTE, attempts: 3 }, true],
  ['failed twice, without a success', { lastAttempt: NOW - 2n * MINUTE, attempts: 2 }, false],
  ['tried within a minute', { lastAttempt: NOW - MINUTE + 1n, attempts: 20 }, false],
  ['not tried for more than a week', { lastAttempt: NOW - 7n * DAY - 1n, lastSuccess: NOW - 7n * DAY - 1n }, true],
  ['ten failures, success a week ago', { lastAttempt: NOW - DAY, lastSuccess: NOW - 8n * DAY, attempts: 10 }, true],
  ['nine failures, success a week ago', { lastAttempt: NOW - DAY, lastSuccess: NOW - 8n * DAY, attempts: 9 }, false],
  ['ten failures, success two days ago', { lastAttempt: NOW - DAY, lastSuccess: NOW - 2n * DAY, attempts: 10 }, false],
  ['a good address, after any number of failures', { type: 'old', lastAttempt: NOW - 30n * DAY, attempts: 50 }, false],
])('default: %s', (_what, change, bad) => {
  const known = { ...createKnownAddress(place, place, NOW), lastSuccess: ZERO_TIME, ...change }
  expect(isBad(known, NOW)).toBe(bad)
})
