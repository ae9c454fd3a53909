import { createPorts } from '@org/node-rpc'
import type { DevnetControl, LightClientAttack, Ports } from '@org/rpc'
import { type Clock, createSystemClock, noopLogger } from '@org/runtime'
import { bytesToHex } from '@org/types/bytes'
import type { Evidence } from '@org/types/evidence'
import type { Snapshot } from '../chain/chain.ts'
import { type OpenedChain, openChain } from '../chain/create-chain.ts'
import { CHAIN_ERRORS, ChainError } from '../chain/errors.ts'
import type { SimNode } from '../node/index.ts'
import { createDevnetClock, type DevnetClock } from './devnet-clock.ts'
import { makeDoubleSign } from './double-sign.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'
import { followPorts } from './follow-ports.ts'
import { makeLightClientAttack } from './light-client-attack.ts'
import { createMembers, type Member, type Members } from './members.ts'
import { createMiner, type Miner } from './miner.ts'
import type { DevnetOptions } from './options.ts'
import { createPowers, type PowerChanges, type Powers } from './powers.ts'
import { createTransactions, type Transactions } from './transactions.ts'

/** The time of the chain from one block to the next. Several validators need it to send a transaction to the proposer. */
const BLOCK_TIME_MS = { alone: 1, several: 200 } as const
/** The virtual time in which a transaction reaches all validators. */
const GOSSIP_MS = 5
/** Each snapshot is a copy of the stores of all validators. */
const MAX_SNAPSHOTS = 100
/** The blocks that an attack on a light client needs: a common one, a forged one, and one with the commit of that one. */
const ATTACK_BLOCKS = 3
/** The blocks until a change of a power counts. */
const BLOCKS_TO_CHANGE = 3
/** The most blocks until evidence is in one. */
const EVIDENCE_BLOCKS = 20

/** A chain in memory that real clients use, with control of its blocks, its time and its validators. */
export interface Devnet extends AsyncDisposable {
  /** The parts for the RPC of the first validator, with the control. They stay the same after a revert. */
  readonly ports: Ports & { readonly devnet: DevnetControl }
  readonly height: () => number
  readonly chainId: () => string
  readonly stop: () => Promise<void>
}

interface Parts {
  readonly opened: OpenedChain
  readonly members: Members
  readonly clock: DevnetClock
  readonly miner: Miner
  readonly transactions: Transactions
  readonly powers: Powers
}

/** Throws `DEVNET_NO_MAJORITY` if the validators that run and sign cannot make a block. */
function checkMajority({ engine }: OpenedChain, members: Members): void {
  const { validators } = engine().consensus.roundState().chain.validators
  const isActive = (address: Uint8Array): boolean =>
    members
      .all()
      .some((member) => isAt(member, address) && member.signs && !member.isApart && member.node.status() === 'running')
  const total = validators.reduce((sum, { votingPower }) => sum + votingPower, 0n)
  const active = validators.reduce((sum, { address, votingPower }) => sum + (isActive(address) ? votingPower : 0n), 0n)
  if (3n * active > 2n * total) return
  const message = `the validators that run, sign and are connected to the first one have ${active} of ${total} of the power, and a block needs more than two thirds: call set_signing_status with the status up, dev_restart or dev_heal`
  throw new DevnetError(DEVNET_ERRORS.noMajority, message)
}

const isAt = ({ address }: Member, bytes: Uint8Array): boolean => address === bytesToHex(bytes)

/** The ports of the engine that runs now; made once for each engine. */
function portsOf({ engine, network }: OpenedChain, devnet: DevnetControl): () => Ports {
  const [node] = network.nodes as [SimNode]
  let current: { readonly engine: unknown; readonly ports: Ports } | undefined
  return () => {
    const running = engine()
    if (current?.engine === running) return current.ports
    const [opened, life] = [node.network(), node.life()]
    if (opened === undefined || life === undefined) throw new ChainError(CHAIN_ERRORS.stopped, 'the chain is stopped')
    // A call never waits until the work on a block ends: the time of the chain stands still during the call.
    const { precedence: _, ...ports } = createPorts(running, {
      config: { p2p: { externalAddress: '' } },
      network: opened,
      clock: life.clock,
    })
    current = { engine: running, ports: { ...ports, devnet } }
    return current.ports
  }
}

/** The calls that save the chain and go back. */
interface SavedMoment {
  readonly snapshot: Snapshot
  readonly offset: bigint
  readonly changes: PowerChanges
}

function createSnapshots({ opened: { chain }, clock, members, transactions, powers }: Parts) {
  const saved = new Map<string, SavedMoment>()
  let last = 0

  async function take(): Promise<string> {
    if (saved.size >= MAX_SNAPSHOTS) {
      const message = `a devnet keeps at most ${MAX_SNAPSHOTS} snapshots: call dev_revert with one of them, or start the devnet again`
      throw new DevnetError(DEVNET_ERRORS.tooManySnapshots, message)
    }
    const id = String(last++)
    saved.set(id, { snapshot: await chain.snapshot(), offset: clock.offset, changes: powers.save() })
    return id
  }

  return {
    take,
    revert: async (id: string): Promise<number> => {
      const found = saved.get(id)
      if (found === undefined) {
        const message = `there is no snapshot ${JSON.stringify(id)}: use an id that dev_snapshot answered`
        throw new DevnetError(DEVNET_ERRORS.unknownSnapshot, message)
      }
      // The applications may execute blocks again during their start.
      powers.restore(found.changes)
      await chain.revert(found.snapshot)
      clock.offset = found.offset
      transactions.clear()
      for (const member of members.all()) member.signs = true
      return chain.height()
    },
  }
}

/** The calls that end, start, connect and disconnect validators. */
function createFaults({ opened: { network, progress }, members }: Parts) {
  const { hub, nodes } = network
  const cuts: (readonly [string, string])[] = []
  const wrongState = (message: string): DevnetError => new DevnetError(DEVNET_ERRORS.validatorState, message)

  return {
    crash: (address: string): void => {
      const { node } = members.at(address)
      if (node === nodes[0])
        throw wrongState(`${node.name} answers this call and cannot be ended: name another validator`)
      if (node.status() !== 'running') throw wrongState(`${node.name} does not run: it is ${node.status()}`)
      node.crash('kill')
    },
    restart: async (address: string): Promise<void> => {
      const { node } = members.at(address)
      if (node.status() !== 'down') throw wrongState(`${node.name} is ${node.status()}, and not down`)
      await progress.drive(node.start(), 'start')
    },
    partition: (addresses: readonly string[]): void => {
      const inside = new Set(addresses.map((address) => members.at(address).node.name))
      for (const { name: one } of nodes) {
        for (const { name: other } of nodes) {
          if (inside.has(one) === inside.has(other)) continue
          hub.block(one, other)
          cuts.push([one, other])
        }
      }
      const first = inside.has(nodes[0]?.name ?? '')
      for (const member of members.all()) member.isApart ||= inside.has(member.node.name) !== first
    },
    heal: (): void => {
      for (const member of members.all()) member.isApart = false
      for (const [one, other] of cuts.splice(0)) hub.unblock(one, other)
    },
  }
}

function createControl(parts: Parts): DevnetControl & { readonly begin: () => Promise<void> } {
  const { opened, members, clock, miner, transactions, powers } = parts
  const { chain, engine, progress, network, beside } = opened
  const snapshots = createSnapshots(parts)
  const { crash, restart, partition, heal } = createFaults(parts)
  let first = '0'

  /** Adds the evidence, and makes blocks until one has it. */
  async function include(evidence: Evidence): Promise<void> {
    const { evidencePool } = engine()
    await progress.drive(evidencePool.addEvidence(evidence), 'evidence')
    for (let left = EVIDENCE_BLOCKS; left > 0 && evidencePool.pendingEvidence(-1n).evidence.length > 0; left--)
      await miner.mine(1)
  }

  /** Runs `work` when no message between the validators is on its way: it could bring a transaction back. */
  const settled = (work: () => void): Promise<void> =>
    beside(async () => {
      await progress.pass(network.validators.length === 1 ? 0 : GOSSIP_MS)
      work()
    })

  /** A change in one block decides the validators of the second block after it. */
  async function setPower(address: string, power: bigint): Promise<number> {
    const { node } = members.at(address)
    await beside(async () => powers.change(node, power))
    return miner.mine(BLOCKS_TO_CHANGE)
  }

  async function doubleSign(address: string): Promise<void> {
    const { node } = members.at(address)
    if (chain.height() === 0) await miner.mine(1)
    await include(makeDoubleSign(engine(), node))
  }

  async function attackLightClient(address: string, attack: LightClientAttack): Promise<void> {
    const { node } = members.at(address)
    if (chain.height() < ATTACK_BLOCKS) await miner.mine(ATTACK_BLOCKS - chain.height())
    await include(makeLightClientAttack(engine(), network.validators, { guilty: node, attack }))
  }

  return {
    ...{ mine: miner.mine, setAutomine: miner.setAutomine, setInterval: miner.setInterval },
    advanceTime: clock.advance,
    setTime: (time) => clock.set(time, chain.time()),
    setSigning: (address, signs) => {
      members.at(address).signs = signs
      return Object.fromEntries(members.all().map((member) => [member.address, member.signs]))
    },
    doubleSign,
    attackLightClient,
    setPower,
    dropTx: (hash) => settled(() => transactions.drop(hash)),
    holdTx: (hash, isHeld) =>
      isHeld
        ? settled(() => transactions.hold(hash))
        : beside(() => progress.drive(transactions.release(hash), 'checkTx')),
    snapshot: snapshots.take,
    revert: snapshots.revert,
    reset: () => snapshots.revert(first),
    ...{ crash, restart, partition, heal },
    begin: async () => {
      first = await snapshots.take()
    },
  }
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
    powers,
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
