import type { OpenedChain } from '../chain/create-chain.ts'
import type { Applications } from './applications/index.ts'
import type { DevnetClock } from './devnet-clock.ts'
import type { Faults } from './faults.ts'
import type { Members } from './members.ts'
import type { Miner } from './miner.ts'
import type { DevnetOrigin } from './origin.ts'
import type { Powers } from './powers.ts'
import type { Transactions } from './transactions.ts'

/** The parts of a devnet that its control uses. */
export interface Parts {
  readonly opened: OpenedChain
  readonly members: Members
  readonly clock: DevnetClock
  readonly miner: Miner
  readonly transactions: Transactions
  readonly powers: Powers
  readonly faults: Faults
  readonly applications: Applications
  /** The chain that the devnet began with, if it was not a new one. */
  readonly origin: DevnetOrigin | undefined
}
