import { createBudget, createVirtualClock } from '@org/runtime'
import { utf8ToBytes } from '@org/types/bytes'
import { exactCheckCost, generateEd25519, publicKeyOf, type SignedItem, sign } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { POOLED_SIGNATURES } from './checker.ts'
import { chargedChecker, pacedChecker } from './exact-checks.ts'

const KEY = generateEd25519(new Uint8Array(32).fill(1))
const MESSAGE = utf8ToBytes('message')
const GOOD: SignedItem = { publicKey: publicKeyOf(KEY), message: MESSAGE, signature: sign(KEY, MESSAGE) }
/** A forged signature with a valid form, so that only the exact check can refuse it. */
const FORGED: SignedItem = { ...GOOD, message: utf8ToBytes('another message') }
const COST = exactCheckCost(GOOD.publicKey)

test('behavior: a forgery takes from the budget, a good signature does not, and the answers do not depend on the budget', async () => {
  const spent: number[] = []
  const { verify, findInvalid } = chargedChecker(POOLED_SIGNATURES, { spend: (cost) => void spent.push(cost) })
  const check = ({ publicKey, message, signature }: SignedItem): boolean => verify(publicKey, message, signature)
  expect([check(GOOD), check(FORGED)]).toEqual([true, false])
  expect(spent).toEqual([COST])
  // A signature of the wrong length needs no exact check.
  expect(check({ ...GOOD, signature: new Uint8Array(63) })).toBe(false)
  expect(await findInvalid([GOOD, FORGED, FORGED])).toBe(1)
  expect(await findInvalid([GOOD])).toBe(-1)
  expect(spent).toEqual([COST, COST])
})

test('behavior: commits of synced blocks wait while the budget is used up', async () => {
  const clock = createVirtualClock()
  const budget = createBudget({ burst: COST, perSecond: COST }, clock)
  const { findInvalid } = pacedChecker(POOLED_SIGNATURES, budget)
  expect(await findInvalid([GOOD, FORGED])).toBe(1)
  const answers: number[] = []
  const later = findInvalid([GOOD]).then((index) => answers.push(index))
  await new Promise((resolve) => setImmediate(resolve))
  expect([answers, budget.waiting()]).toEqual([[], 1])
  clock.advance(1000)
  await later
  expect(answers).toEqual([-1])
})
