import type { AddedValidator } from '@org/rpc'
import { type PublicKey, publicKeyOf } from '@org/types/crypto'
import { diskOfNewKey, restoreNode, saveNode } from '../chain/snapshot.ts'
import type { SimNode } from '../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'
import { checkMajority } from './majority.ts'
import type { Parts } from './parts.ts'
import { BLOCKS_TO_CHANGE } from './powers.ts'

/**
 * The maximum number of validators to which a devnet can grow. It is limited because all of them run in this process.
 */
export const MAX_VALIDATORS = 100

/** Adds validators to a running devnet. */
export interface Joining {
  /**
   * Adds a validator with its own key, and makes blocks until the validator's power is in effect. Throws
   * `DEVNET_TOO_MANY_VALIDATORS`, `DEVNET_KEY_TYPE`, `DEVNET_BAD_POWER`, `DEVNET_NO_MAJORITY` or an error of the
   * application. After these errors nothing is changed.
   */
  readonly add: (power: bigint) => Promise<AddedValidator>
}

export function createJoining(parts: Omit<Parts, 'transactions' | 'clock'>): Joining {
  const { opened, members, miner, powers, faults, applications, origin } = parts
  const { network, progress, engine } = opened
  const { validators } = network

  function check(power: bigint): void {
    if (validators.length >= MAX_VALIDATORS) {
      const message = `the devnet has ${validators.length} validators, and at most ${MAX_VALIDATORS} are allowed: give a power to a validator that it already has, or call dev_reset`
      throw new DevnetError(DEVNET_ERRORS.tooManyValidators, message)
    }
    const { pubKeyTypes } = engine().consensus.roundState().chain.consensusParams.validator
    if (!pubKeyTypes.includes('ed25519')) {
      const message = `the key of a new validator is of the type ed25519, and the consensus parameters of this chain allow only ${pubKeyTypes.join(', ')}: add ed25519 to validator.pub_key_types`
      throw new DevnetError(DEVNET_ERRORS.keyType, message)
    }
    powers.check(power)
    checkMajority(opened, members)
  }

  /**
   * Returns true if an application with the state after this height can execute the later blocks. Only the state with
   * which the devnet began is accepted. A later state may be the result of blocks that the devnet has removed, because
   * it went back to a snapshot.
   */
  function canBeginFrom(height: number): boolean {
    const { initialHeight } = network.genesis
    const isBeginning = height <= (origin?.blocks?.height ?? 0)
    return isBeginning && Math.max(height + 1, initialHeight) >= engine().blockStore.base()
  }

  /**
   * Starts one more node with a copy of the first node's blocks and state. The copy may lack the first blocks of the
   * chain. The new node's application executes the copied blocks that it has not executed yet. The start needs no
   * virtual time, so the chain makes no block meanwhile. The other nodes send later blocks to the new node.
   */
  async function start(): Promise<SimNode> {
    const [first] = validators as readonly [SimNode]
    const count = validators.length
    await applications.join(count, canBeginFrom)
    await progress.runDueWork()
    const saved = await saveNode(first)
    network.setValidators(count + 1)
    const node = validators[count] as SimNode
    try {
      Object.assign(members.of(node), { signs: true, isApart: false })
      faults.join(node)
      await restoreNode(node, diskOfNewKey(saved))
      await progress.drive(node.start(), 'start')
    } catch (error) {
      faults.leave(node)
      network.setValidators(count)
      throw error
    }
    return node
  }

  return {
    add: async (power) => {
      const node = await opened.runExclusive(async () => {
        check(power)
        const started = await start()
        powers.change(started, power)
        return started
      })
      const pubKey: PublicKey = publicKeyOf(node.options.key)
      return { address: members.of(node).address, pubKey, height: await miner.mine(BLOCKS_TO_CHANGE) }
    },
  }
}
