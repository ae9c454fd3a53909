import type { RequestProcessProposal } from '@org/types/abci'
import { hashTx } from '@org/types/block'
import { bytesToHex } from '@org/types/bytes'

/** Finds out whether a height can be decided, or whether its proposals are refused again and again. */
export interface Refusals {
  /** The application of the validator `name` refused a proposal. */
  readonly add: (name: string, request: RequestProcessProposal) => void
  /**
   * The height at which every validator has proposed and at least three proposals were refused; `undefined` as long as
   * another proposal could be accepted.
   */
  readonly height: () => number | undefined
  /** A text about the refused proposals at or above `height`; `undefined` if there are none. */
  readonly describe: (height: number) => string | undefined
  readonly clear: () => void
}

/** The fewest refused proposals that count: an application may refuse one because of its time. */
const MIN_PROPOSALS = 3

/** `nameOf` returns the name of the validator with this address. */
export function createRefusals(validators: number, nameOf: (address: Uint8Array) => string): Refusals {
  let current = 0
  let lastTxs: readonly Uint8Array[] = []
  const proposers = new Set<string>()
  /** The number of proposals of the height that each validator refused. Blocks of two rounds may be the same. */
  const counts = new Map<string, number>()

  const proposals = (): number => [...counts.values()].reduce((most, count) => Math.max(most, count), 0)
  const list = (names: Iterable<string>): string => [...names].sort().join(', ')

  function isCertain(): boolean {
    if (proposals() < MIN_PROPOSALS) return false
    // A validator with little power proposes rarely: after many proposals without its own, its turn is not awaited
    // any longer.
    return proposers.size >= validators || proposals() >= MIN_PROPOSALS * validators
  }

  function clear(): void {
    current = 0
    proposers.clear()
    counts.clear()
  }

  return {
    add: (name, { height, proposerAddress, txs }) => {
      if (height < current) return
      if (height > current) clear()
      current = height
      lastTxs = txs
      proposers.add(nameOf(proposerAddress))
      counts.set(name, (counts.get(name) ?? 0) + 1)
    },
    height: () => (isCertain() ? current : undefined),
    describe: (height) => {
      if (proposers.size === 0 || current < height) return undefined
      const [tx] = lastTxs
      const content =
        tx === undefined ? 'without a transaction' : `whose first transaction is ${bytesToHex(hashTx(tx))}`
      const count = proposals() === 1 ? 'the proposal' : `${proposals()} proposals`
      return `${list(counts.keys())} refused ${count} for block ${current} in processProposal, proposed by ${list(proposers)}, the last one ${content}`
    },
    clear,
  }
}
