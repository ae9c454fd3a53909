import type { Application } from '@org/abci'
import type { DevnetControl, Events, Ports } from '@org/rpc'
import { type Clock, createLifecycle, createSystemClock, messageOf, noopLogger } from '@org/runtime'
import { type OpenedChain, openChain } from '../chain/create-chain.ts'
import type { SimNode } from '../node/index.ts'
import { type Applications, localApplications } from './applications/index.ts'
import { createControl } from './control.ts'
import { createDevnetClock } from './devnet-clock.ts'
import { portsOf } from './devnet-ports.ts'
import { readDump } from './dump/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'
import { createFaults } from './faults.ts'
import { followPorts } from './follow-ports.ts'
import { withOriginalValidators } from './fork/index.ts'
import { checkMajority, heldPower } from './majority.ts'
import { createMembers, type Members } from './members.ts'
import { createMiner, type Miner } from './miner.ts'
import type { DevnetOptions } from './options.ts'
import type { DevnetOrigin } from './origin.ts'
import { createPersistentEvents } from './persistent-events.ts'
import { createPowers } from './powers.ts'
import { createTransactions } from './transactions.ts'

/**
 * The milliseconds between two blocks on the clock of the chain. With several validators the time is longer, because a
 * transaction must first reach the proposer.
 */
const BLOCK_TIME_MS = { alone: 1, several: 200 } as const

/** A chain in memory for real clients. A program controls its blocks, its time and its validators. */
export interface Devnet extends AsyncDisposable {
  /**
   * The objects with which an RPC server reads the first validator and controls the devnet. They stay valid after a
   * revert.
   */
  readonly ports: Ports & { readonly devnet: DevnetControl }
  readonly height: () => number
  readonly chainId: () => string
  /**
   * Starts all validators again. Applications of this process are made again; applications in other processes stay.
   * The chain is replayed into the applications.
   */
  readonly reload: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Throws `DEVNET_TOO_FEW_KEYS` if the validators of this process cannot decide a block of the chain. */
function checkKeys({ engine }: OpenedChain, members: Members): void {
  const { held, total } = heldPower(engine(), members)
  if (3n * held > 2n * total) return
  const message = `the keys of this process have ${held} of the total power ${total} of the chain, and a block needs more than two thirds: give the keys of more validators, or use a genesis in which your keys have enough power`
  throw new DevnetError(DEVNET_ERRORS.tooFewKeys, message)
}

function originOf({ origin, validators = 1, genesis = {} }: DevnetOptions, now: bigint) {
  if (origin === undefined) return { validators, genesis: { genesisTime: now, ...genesis }, hooks: { startTime: now } }
  const { offset = 0n } = origin
  const lastTime = origin.blocks?.lastTime ?? 0n
  const time = now + offset
  return {
    validators: origin.keys.length,
    genesis: origin.genesis,
    hooks: {
      keys: origin.keys,
      // The clock must begin after the time of the last block.
      startTime: time > lastTime ? time : lastTime + 1_000_000n,
      ...(origin.nodes && { saved: origin.nodes }),
    },
  }
}

/** A devnet with one chain. `load` and `fork` of {@link DevnetControl} replace it by another one. */
interface OneDevnet extends Omit<Devnet, 'ports' | keyof AsyncDisposable> {
  readonly ports: () => Ports
  /** The number of validators whose nodes belong to this devnet. */
  readonly validators: () => number
  /** Runs work that must not overlap with a call that changes the chain. */
  readonly runExclusive: OpenedChain['runExclusive']
}

interface OneDevnetModules {
  readonly applications: Applications
  readonly real: Clock
  readonly replace: Pick<DevnetControl, 'load' | 'fork'>
  /** Called each time the chain has a new engine, after a revert, a reset or a reload. */
  readonly onRestart: () => void
}

async function openDevnet(options: DevnetOptions, modules: OneDevnetModules): Promise<OneDevnet> {
  const { automine = true, interval = 0, logger = noopLogger, origin } = options
  const { applications, real, replace } = modules
  let nodes: readonly SimNode[] = []
  const members = createMembers(() => nodes)
  const powers = createPowers(members.nodes)
  if (origin?.changes !== undefined) powers.restore(origin.changes)
  const { validators, genesis, hooks } = originOf(options, real.now())
  const { base = 0, height = 0 } = origin?.blocks ?? {}
  const canContinueFrom = (own: number): boolean => own <= height && (height === 0 || own + 1 >= base)
  const go = await applications.wayTo({ height, canContinueFrom, validators, remembered: [] })
  await go()
  const wrapApp = (made: Application): Application =>
    powers.wrap(withOriginalValidators(made, origin?.replacements ?? []))
  let miner: Miner | undefined
  const opened = await openChain(
    {
      app: () => ({}),
      validators,
      automine: false,
      blockTime: BLOCK_TIME_MS.several,
      genesis,
      logger,
      ...(options.answerWithin !== undefined && { answerWithin: options.answerWithin }),
    },
    {
      ...hooks,
      blockTimeOf: (count) => (count === 1 ? BLOCK_TIME_MS.alone : BLOCK_TIME_MS.several),
      wrapSigner: members.wrap,
      isRemote: applications.isRemote,
      makeApp: (name) => {
        const making = applications.make(Number(name.slice(1)), origin?.appState)
        return making instanceof Promise ? making.then(wrapApp) : wrapApp(making)
      },
      onEngine: (engine) => {
        if (miner === undefined) return
        miner.follow(engine)
        modules.onRestart()
      },
    },
  )
  const { chain, network, progress, engine, runShared } = opened
  nodes = network.validators
  const clock = createDevnetClock(real, network.nodes)
  clock.offset = origin?.offset ?? 0n
  const made = createMiner({
    ...{ until: progress.until, runDueWork: progress.runDueWork, runShared, engine, clock, real, logger },
    scheduler: network.scheduler,
    height: chain.height,
    checkMajority: () => checkMajority(opened, members),
  })
  const { begin, ...devnet } = createControl({
    ...{ opened, members, clock, miner: made, applications, origin, replace },
    transactions: createTransactions(network.validators),
    ...{ powers, faults: createFaults(opened, members) },
  })
  miner = made
  made.follow(engine())
  const stop = async (): Promise<void> => {
    made.stop()
    await chain.stop()
  }
  try {
    checkKeys(opened, members)
    await begin()
  } catch (error) {
    await stop()
    throw error
  }
  made.setAutomine(automine)
  made.setInterval(interval)
  return {
    ports: portsOf(opened, devnet),
    height: chain.height,
    chainId: () => network.genesis.chainId,
    validators: () => network.validators.length,
    reload: () => opened.restart({}),
    runExclusive: opened.runExclusive,
    stop,
  }
}

/**
 * Creates a devnet; resolves when it is ready for its first block. Rejects with a `ChainError` for impossible
 * options.
 */
export async function createDevnet(options: DevnetOptions, real: Clock = createSystemClock()): Promise<Devnet> {
  const { app, readHome, logger = noopLogger } = options
  const applications = typeof app === 'function' ? localApplications(app) : app
  let current: OneDevnet

  /**
   * Replaces the chain by another one. If the new chain cannot begin, the present one continues. Rejects if the devnet
   * is stopped in the meantime.
   */
  async function replaceBy(origin: DevnetOrigin): Promise<number> {
    const before = current
    await before.runExclusive(async () => {
      const opened = await openDevnet({ ...options, origin }, modules)
      if (life.signal.aborted) await opened.stop()
      life.signal.throwIfAborted()
      current = opened
      lasting.move()
    })
    await before.stop()
    return current.height()
  }

  async function fork(home: string, validators = current.validators()): Promise<number> {
    if (readHome === undefined) {
      const message =
        'this devnet cannot read the home of a node: use halley devnet --control, or give createDevnet the function readHome'
      throw new DevnetError(DEVNET_ERRORS.forkUnavailable, message)
    }
    return replaceBy(await readHome(home, validators))
  }

  const replace = { load: async (dump: Uint8Array) => replaceBy(await readDump(dump)), fork }
  const modules: OneDevnetModules = { applications, real, replace, onRestart: () => lasting.move() }
  const life = createLifecycle({
    name: 'the devnet',
    start: async () => {
      current = await openDevnet(options, modules)
    },
    // If the chain is being reloaded, `current.stop` also ends the reload.
    stop: () => current.stop(),
  })
  await life.start()
  const ports = followPorts(() => current.ports()) as Devnet['ports']
  const lasting = createPersistentEvents(ports.events as Events)
  const reload = (): Promise<void> =>
    current.reload().catch((error: unknown) => {
      if (life.signal.aborted) return
      const hint = 'call dev_reset or dev_revert: both set the chain and the application to the same height'
      logger.error('Failed to bring the application to the height of the chain', { err: messageOf(error), hint })
    })
  applications.onReturn(() => life.run(reload), life.signal)
  return {
    ports: { ...ports, events: lasting.events },
    height: () => current.height(),
    chainId: () => current.chainId(),
    reload: () => current.reload(),
    stop: life.stop,
    [Symbol.asyncDispose]: life.stop,
  }
}
