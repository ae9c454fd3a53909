import type { DevnetControl, Ports } from '@org/rpc'
import { type Clock, createSystemClock, noopLogger } from '@org/runtime'
import { openChain } from '../chain/create-chain.ts'
import { createControl } from './control.ts'
import { createDevnetClock } from './devnet-clock.ts'
import { portsOf } from './devnet-ports.ts'
import { createFaults } from './faults.ts'
import { followPorts } from './follow-ports.ts'
import { checkMajority } from './majority.ts'
import { createMembers } from './members.ts'
import { createMiner, type Miner } from './miner.ts'
import type { DevnetOptions } from './options.ts'
import { createPowers } from './powers.ts'
import { createTransactions } from './transactions.ts'

/** The time of the chain from one block to the next. Several validators need it to send a transaction to the proposer. */
const BLOCK_TIME_MS = { alone: 1, several: 200 } as const

/** A chain in memory that real clients use, with control of its blocks, its time and its validators. */
export interface Devnet extends AsyncDisposable {
  /** The parts for the RPC of the first validator, with the control. They stay the same after a revert. */
  readonly ports: Ports & { readonly devnet: DevnetControl }
  readonly height: () => number
  readonly chainId: () => string
  readonly stop: () => Promise<void>
}

/** Creates a devnet; resolves when it is ready for its first block. Rejects with a `ChainError` for impossible options. */
export async function createDevnet(options: DevnetOptions, real: Clock = createSystemClock()): Promise<Devnet> {
  const { app, validators = 1, automine = true, interval = 0, genesis = {}, logger = noopLogger } = options
  const members = createMembers()
  const powers = createPowers(members.nodes)
  const blockTime = validators === 1 ? BLOCK_TIME_MS.alone : BLOCK_TIME_MS.several
  let miner: Miner | undefined
  const opened = await openChain(
    {
      app: () => powers.wrap(app()),
      validators,
      automine: false,
      blockTime,
      genesis: { genesisTime: real.now(), ...genesis },
      logger,
    },
    { wrapSigner: members.wrap, startTime: real.now(), onEngine: (engine) => miner?.follow(engine) },
  )
  const { chain, network, progress, engine, beside } = opened
  members.set(network.validators)
  const clock = createDevnetClock(real, network.nodes)
  const made = createMiner({
    ...{ until: progress.until, rest: progress.rest, beside, engine, clock, real, logger },
    scheduler: network.scheduler,
    height: chain.height,
    checkMajority: () => checkMajority(opened, members),
  })
  const { begin, ...devnet } = createControl({
    ...{ opened, members, clock, miner: made },
    transactions: createTransactions(network.validators),
    ...{ powers, faults: createFaults(opened, members) },
  })
  miner = made
  made.follow(engine())
  await begin()
  made.setAutomine(automine)
  made.setInterval(interval)
  const stop = async (): Promise<void> => {
    made.stop()
    await chain.stop()
  }
  return {
    ports: followPorts(portsOf(opened, devnet)) as Devnet['ports'],
    height: chain.height,
    chainId: () => network.genesis.chainId,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
