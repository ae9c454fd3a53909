import { type Budget, type BudgetOptions, type Clock, createBudget } from '@org/runtime'
import { exactCheckCost, type PublicKey } from '@org/types/crypto'
import type { SignatureChecker } from './checker.ts'

/**
 * The budget of one node for exact checks, in units of `exactCheckCost`. If the fast check refuses a signature, an
 * exact check is needed, because ZIP-215 may still accept the signature. Such a signature is nearly always a forgery.
 * The budget is enough for 500 exact checks per second with libsodium, or for 41 in JavaScript; this takes about a
 * tenth of a processor.
 */
const EXACT_CHECKS: BudgetOptions = { burst: 1000, perSecond: 500 }

/** The budget for exact checks of signatures, in units of `exactCheckCost`. */
export type ExactChecks = Pick<Budget, 'take' | 'spend'>

export const createExactChecks = (clock: Clock): Budget => createBudget(EXACT_CHECKS, clock)

/**
 * Returns a checker that works like `checker`, and also subtracts the cost of exact checks from the budget. `verify`
 * subtracts the cost of each exact check. `findInvalid` subtracts it only for a forged signature that it finds.
 */
export function chargedChecker(
  checker: SignatureChecker,
  budget: Pick<Budget, 'spend'>,
): Pick<SignatureChecker, 'verify' | 'findInvalid'> {
  const charge = (key: PublicKey): void => budget.spend(exactCheckCost(key))
  return {
    verify: (publicKey, message, signature) => {
      const item = { publicKey, message, signature }
      const answer = checker.verifyQuickly(item)
      if (answer !== undefined) return answer
      charge(publicKey)
      return checker.verifyExactly(item)
    },
    findInvalid: async (items) => {
      const index = await checker.findInvalid(items)
      const bad = items[index]
      if (bad !== undefined) charge(bad.publicKey)
      return index
    },
  }
}

/**
 * Returns a checker that works like `checker`, but waits while the budget is used up. For each forged signature that
 * the checker finds, the cost of an exact check is subtracted from the budget.
 */
export function pacedChecker(
  checker: Pick<SignatureChecker, 'findInvalid'>,
  budget: ExactChecks | undefined,
): Pick<SignatureChecker, 'findInvalid'> {
  if (budget === undefined) return checker
  return {
    findInvalid: async (items) => {
      await budget.take(0)
      const index = await checker.findInvalid(items)
      const bad = items[index]
      if (bad !== undefined) budget.spend(exactCheckCost(bad.publicKey))
      return index
    },
  }
}
