import type { DevnetControl, DevnetInfo, LightClientAttack } from '@org/rpc'
import type { Evidence } from '@org/types'
import { makeDoubleSign } from './double-sign.ts'
import { writeDump } from './dump/index.ts'
import { createJoining } from './joining.ts'
import { makeLightClientAttack } from './light-client-attack.ts'
import { checkMajority } from './majority.ts'
import type { DevnetOrigin } from './origin.ts'
import type { Parts } from './parts.ts'
import { BLOCKS_TO_CHANGE } from './powers.ts'
import { createSnapshots, type SavedMoment } from './snapshots.ts'

/** The virtual time in which a transaction reaches all validators. */
const GOSSIP_MS = 5
/**
 * The minimum height of a chain on which a light client can be attacked. An attack needs three blocks: the common block
 * (the last one before the forgery), the block of the forged height, and the block that contains the commit of the
 * forged height.
 */
const ATTACK_BLOCKS = 3
/** The maximum number of blocks that are made until one of them contains the evidence. */
const EVIDENCE_BLOCKS = 20

/** Converts a saved moment of the chain to a {@link DevnetOrigin}: the chain that another devnet can begin with. */
function originAt({ opened, origin }: Parts, moment: SavedMoment): DevnetOrigin {
  const { network, chain, savedNodes } = opened
  const { snapshot, base, offset, changes, validators } = moment
  return {
    ...origin,
    genesis: network.genesis,
    keys: network.validators.slice(0, validators).map(({ options }) => options.key),
    nodes: savedNodes(snapshot),
    blocks: { base, height: snapshot.height, lastTime: chain.time() },
    ...{ offset, changes },
  }
}

/** Creates the calls that control a devnet. `begin` takes the snapshot to which `reset` goes back. */
export function createControl(
  parts: Parts & { readonly replace: Pick<DevnetControl, 'load' | 'fork'> },
): DevnetControl & { readonly begin: () => Promise<void> } {
  const { opened, members, clock, miner, transactions, powers, faults } = parts
  const { chain, engine, progress, network, runShared } = opened
  const snapshots = createSnapshots(parts)
  const joining = createJoining(parts)
  let first = '0'

  /**
   * Adds the evidence to the evidence pool of the first validator. Then makes blocks until one of them contains the
   * evidence.
   */
  async function include(evidence: Evidence): Promise<void> {
    const { evidencePool } = engine()
    await progress.drive(evidencePool.addEvidence(evidence), 'evidence')
    for (let left = EVIDENCE_BLOCKS; left > 0 && evidencePool.pendingEvidence(-1n).evidence.length > 0; left--)
      await miner.mine(1)
  }

  /**
   * Waits until no message between the validators is in transit, and then runs `work`. The function `work` removes a
   * transaction from the mempools. A message in transit could bring the transaction back into a mempool.
   */
  const whenQuiet = (work: () => void): Promise<void> =>
    runShared(async () => {
      await progress.pass(network.validators.length === 1 ? 0 : GOSSIP_MS + 2 * faults.longestDelay())
      work()
    })

  /** Changes the power of a validator, and makes blocks until the new power is in effect. */
  async function setPower(address: string, power: bigint): Promise<number> {
    await opened.runExclusive(async () => {
      // All validators must add the change to the results of the same block, so no block may be in progress.
      await progress.runDueWork()
      const { node } = members.at(address)
      powers.check(power, node)
      checkMajority(opened, members)
      powers.change(node, power)
    })
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

  function info(): DevnetInfo {
    const powerOf = powers.present()
    const validators = members.all().map(({ node, address, signs, isApart }) => {
      return { address, power: powerOf(node), signs, runs: node.status() === 'running', isApart }
    })
    const lists = { delays: faults.delays(), snapshots: snapshots.list(), heldTxs: transactions.held() }
    return { ...miner.settings(), time: clock.now(), validators, ...lists }
  }

  return {
    info,
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
    addValidator: joining.add,
    dropTx: (hash) => whenQuiet(() => transactions.drop(hash)),
    holdTx: (hash, isHeld) =>
      isHeld
        ? whenQuiet(() => transactions.hold(hash))
        : runShared(() => progress.drive(transactions.release(hash), 'checkTx')),
    snapshot: snapshots.take,
    revert: snapshots.revert,
    reset: () => snapshots.revert(first),
    ...{ crash: faults.crash, restart: faults.restart, partition: faults.partition, heal: faults.heal },
    delay: faults.delay,
    dump: async () => writeDump(originAt(parts, await snapshots.save())),
    ...parts.replace,
    begin: async () => {
      first = await snapshots.take()
    },
  }
}
