import { type Budget, type BudgetOptions, type Clock, createBudget } from '@org/runtime'
import { exactCheckCost, type PublicKey } from '@org/types/crypto'
import type { SignatureChecker } from './checker.ts'

/**
 * The budget of one node for exact checks, in units of `exactCheckCost`. An exact check is needed if the fast check
 * refuses a signature, because ZIP-215 may still accept it; such a signature is nearly always a forgery. 500 exact checks
 * per second by libsodium, or 41 in JavaScript, take about a tenth of a processor.
 */
export const EXACT_CHECKS: BudgetOptions = { burst: 1000, perSecond: 500 }

export type ExactChecks = Pick<Budget, 'take' | 'spend'>

export const createExactChecks = (clock: Clock): Budget => createBudget(EXACT_CHECKS, clock)

/**
 * Checks signatures as `checker` does. The cost of each exact check that finds a forgery, and of each single exact check,
 * is taken from the budget.
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

/** Checks signatures as `checker` does. First waits while the budget is used up. Forgeries take from the budget. */
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
