import type { Application } from '@org/abci'
import { MAX_TOTAL_VOTING_POWER, type Validator } from '@org/types'
import type { RequestFinalizeBlock, ResponseFinalizeBlock, ValidatorUpdate } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { type PublicKey, publicKeyOf } from '@org/types/crypto'
import type { SimNode } from '../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'

/**
 * The number of blocks after which a change of a power takes effect: the next block contains the change, and the second
 * block after that block has the new power.
 */
export const BLOCKS_TO_CHANGE = 3

/** Changes of validators' powers. The key is the height of the block whose results contain the changes. */
export type PowerChanges = ReadonlyMap<number, readonly ValidatorUpdate[]>

/**
 * Changes the powers of validators. The changes are added to the application's own updates in its answers to
 * FinalizeBlock.
 */
export interface Powers {
  readonly wrap: (app: Application) => Application
  /**
   * Checks whether the next block can give the power `power` to the node `node`. If `node` is missing, checks the power
   * for a new validator. Throws `DEVNET_BAD_POWER` if the power is not possible.
   */
  readonly check: (power: bigint, node?: SimNode) => void
  /**
   * Changes the power of a validator; 0 removes the validator. The next block contains the change. Throws
   * `DEVNET_BAD_POWER`.
   */
  readonly change: (node: SimNode, power: bigint) => void
  /**
   * Returns a function that gives the power of a node at the next height, as the first validator has stored it. The
   * power is 0 if the node is not in the validator set.
   */
  readonly present: () => (node: SimNode) => bigint
  /**
   * Returns all changes until now. A snapshot of the devnet contains the changes, because an application that starts
   * again executes all blocks again, and its answers must contain the same changes.
   */
  readonly save: () => PowerChanges
  readonly restore: (changes: PowerChanges) => void
}

const keyText = ({ type, bytes }: PublicKey): string => `${type} ${bytesToHex(bytes)}`

/** Returns the power of each validator. The keys of the map come from {@link keyText}. */
const powersByKey = (validators: readonly Validator[]): Map<string, bigint> =>
  new Map(validators.map(({ pubKey, votingPower }) => [keyText(pubKey), votingPower]))

/**
 * Adds changes of powers to the application's answer to FinalizeBlock. If the application itself changes the power of a
 * validator, only the application's change is kept.
 */
function withChanges(answer: ResponseFinalizeBlock, changes: readonly ValidatorUpdate[]): ResponseFinalizeBlock {
  const ofApplication = answer.validatorUpdates ?? []
  const changedKeys = new Set(ofApplication.map(({ pubKey }) => keyText(pubKey as PublicKey)))
  const added = changes.filter(({ pubKey }) => !changedKeys.has(keyText(pubKey as PublicKey)))
  return { ...answer, validatorUpdates: [...ofApplication, ...added] }
}

/** The powers of the other validators. These are all validators except the one whose power a call changes. */
interface OtherPowers {
  /** The number of all validators of the devnet. */
  readonly count: number
  /** The sum of the powers of the other validators after the changes of the next block. */
  readonly remaining: bigint
  /**
   * The greatest sum of the powers of the other validators while the chain applies the changes of the next block. The
   * chain adds new powers before it removes validators, so this sum still includes the powers of removed validators.
   */
  readonly maximum: bigint
}

function checkPower(power: bigint, { count, remaining, maximum }: OtherPowers): void {
  if (power >= 0n && remaining + power > 0n && maximum + power <= MAX_TOTAL_VOTING_POWER) return
  const limit = `the sum of all powers must be at most ${MAX_TOTAL_VOTING_POWER}`
  const reason =
    power < 0n ? 'a power is 0 or more' : power === 0n ? `none of the ${count} validators would be left` : limit
  throw new DevnetError(DEVNET_ERRORS.badPower, `the power cannot be ${power}: ${reason}`)
}

export function createPowers(nodesOf: () => readonly SimNode[]): Powers {
  let changes = new Map<number, readonly ValidatorUpdate[]>()

  type Finalize = (request: RequestFinalizeBlock) => ResponseFinalizeBlock | Promise<ResponseFinalizeBlock>

  function finalizeOf(app: Application): Finalize {
    const own = app.finalizeBlock as Finalize | undefined
    return (request) => {
      const added = changes.get(Number(request.height)) ?? []
      const empty = { txResults: request.txs.map(() => ({ code: 0 })) } as unknown as ResponseFinalizeBlock
      const answer = own === undefined ? empty : own.call(app, request)
      if (added.length === 0) return answer
      return answer instanceof Promise ? answer.then((value) => withChanges(value, added)) : withChanges(answer, added)
    }
  }

  /** Returns the powers after the last block, by key, and the height of the block that can change them next. */
  function nextPowers(): { readonly height: number; readonly powers: Map<string, bigint> } {
    const states = nodesOf().flatMap((one) => one.engine()?.stateStore.load() ?? [])
    const last = Math.max(0, ...states.map(({ lastBlockHeight }) => lastBlockHeight))
    const set = states.find(({ lastBlockHeight }) => lastBlockHeight === last)?.nextValidators.validators ?? []
    return { height: last + 1, powers: powersByKey(set) }
  }

  /**
   * Checks whether the next block can give the power `power` to the validator with the key `pubKey`. If `pubKey` is
   * missing, checks the power for a new validator. Throws `DEVNET_BAD_POWER` if the power is not possible.
   */
  function checkChange(power: bigint, pubKey?: PublicKey) {
    const { height, powers } = nextPowers()
    const wasPresent = pubKey !== undefined && powers.has(keyText(pubKey))
    // The map `remaining` has all validators except `pubKey`, with their powers after the changes that wait for the
    // next block. In the map `maximum`, a removed validator still has its old power, because the chain sums the powers
    // before it removes validators.
    const waiting = changes.get(height) ?? []
    const total = (all: ReadonlyMap<string, bigint>): bigint => [...all.values()].reduce((sum, each) => sum + each, 0n)
    const remaining = new Map(powers)
    for (const { pubKey: other, power: next } of waiting) remaining.set(keyText(other as PublicKey), next)
    if (pubKey !== undefined) remaining.delete(keyText(pubKey))
    const maximum = new Map([...remaining].map(([key, next]) => [key, next === 0n ? (powers.get(key) ?? 0n) : next]))
    checkPower(power, { count: nodesOf().length, remaining: total(remaining), maximum: total(maximum) })
    return { height, wasPresent }
  }

  return {
    wrap: (app) => {
      const finalizeBlock = finalizeOf(app)
      return new Proxy(app, {
        get: (target, name) => {
          if (name === 'finalizeBlock') return finalizeBlock
          const value: unknown = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
    check: (power, node) => void checkChange(power, node && publicKeyOf(node.options.key)),
    change: (node, power) => {
      const pubKey = publicKeyOf(node.options.key)
      const { height, wasPresent } = checkChange(power, pubKey)
      // A validator that is removed already cannot be removed again.
      if (power === 0n && !wasPresent) return
      const before = (changes.get(height) ?? []).filter((one) => keyText(one.pubKey as PublicKey) !== keyText(pubKey))
      changes.set(height, [...before, { pubKey, power }])
    },
    present: () => {
      const set = nodesOf()[0]?.engine()?.stateStore.load()?.validators.validators ?? []
      const byKey = powersByKey(set)
      return (node) => byKey.get(keyText(publicKeyOf(node.options.key))) ?? 0n
    },
    save: () => new Map(changes),
    restore: (saved) => {
      changes = new Map(saved)
    },
  }
}
