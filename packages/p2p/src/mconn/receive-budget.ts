import { MCONN_ERRORS, MconnError } from './errors.ts'

/** A connection whose memory the budget counts. */
export interface BudgetHolder {
  /**
   * For each unfinished message of the connection, multiplies the bytes of the message in memory by the age of the
   * message. Returns the sum of these products.
   */
  readonly weight: () => number
  /** Ends the connection and releases its bytes. */
  readonly drop: (error: Error) => void
}

export interface BudgetShare {
  /**
   * Adds bytes to the connection's count. A negative number subtracts bytes. If all connections together then hold more
   * bytes than the budget, this connection or others are dropped.
   */
  readonly add: (bytes: number) => void
  /** Releases all bytes of the connection. */
  readonly release: () => void
}

/** The budget for the memory of all peers' messages that are incomplete or being handled. */
export interface ReceiveBudget {
  readonly join: (holder: BudgetHolder) => BudgetShare
  readonly bytes: () => number
}

/**
 * Creates a budget. While all connections together hold more than `maxBytes`, it drops one connection after the other.
 * The equal share is `maxBytes` divided by the number of connections. Among the connections that hold more than the
 * equal share, the budget drops the connection with the largest {@link BudgetHolder.weight}. A peer below its equal
 * share is never dropped.
 */
export function createReceiveBudget(maxBytes: number): ReceiveBudget {
  const holders = new Map<BudgetHolder, number>()
  let total = 0

  function heaviest(): BudgetHolder | undefined {
    const share = maxBytes / holders.size
    let found: BudgetHolder | undefined
    let highestWeight = -1
    for (const [holder, bytes] of holders) {
      if (bytes <= share) continue
      const weight = holder.weight()
      if (weight > highestWeight) [found, highestWeight] = [holder, weight]
    }
    return found
  }

  function dropOne(): boolean {
    const holder = heaviest()
    if (holder === undefined) return false
    const bytes = holders.get(holder) ?? 0
    const text = `the unfinished messages of all peers exceed ${maxBytes} bytes, and those of this peer are the largest and oldest, with ${bytes} bytes`
    holder.drop(new MconnError(MCONN_ERRORS.receiveBudget, text, { data: { maxBytes, bytes } }))
    return true
  }

  function release(holder: BudgetHolder): void {
    total -= holders.get(holder) ?? 0
    holders.delete(holder)
  }

  return {
    bytes: () => total,
    join: (given) => {
      // The budget stops counting the bytes of a connection before it calls `given.drop` to end the connection. So the
      // owner of the connection does not need to call `release` after that.
      const holder: BudgetHolder = {
        weight: given.weight,
        drop: (error) => {
          release(holder)
          given.drop(error)
        },
      }
      holders.set(holder, 0)
      return {
        add: (bytes) => {
          const before = holders.get(holder)
          if (before === undefined || bytes === 0) return
          holders.set(holder, before + bytes)
          total += bytes
          while (total > maxBytes && dropOne());
        },
        release: () => release(holder),
      }
    },
  }
}
