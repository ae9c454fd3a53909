import type { Application } from '@org/abci'
import type { RequestFinalizeBlock, ResponseFinalizeBlock, ValidatorUpdate } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { type PublicKey, publicKeyOf } from '@org/types/crypto'
import { MAX_TOTAL_VOTING_POWER } from '@org/types/validators'
import type { SimNode } from '../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'

/** Changes of validators' powers. The key is the height of the block whose results contain the changes. */
export type PowerChanges = ReadonlyMap<number, readonly ValidatorUpdate[]>

/**
 * Changes the powers of validators. The changes are added to the application's own updates in its answers to
 * FinalizeBlock.
 */
export interface Powers {
  readonly wrap: (app: Application) => Application
  /** Changes the power of a validator in the block after the highest one; 0 removes it. Throws `DEVNET_BAD_POWER`. */
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

/** Adds the changes, except for validators that the application changes itself. */
function withChanges(answer: ResponseFinalizeBlock, changes: readonly ValidatorUpdate[]): ResponseFinalizeBlock {
  const own = answer.validatorUpdates ?? []
  const known = new Set(own.map(({ pubKey }) => keyText(pubKey as PublicKey)))
  const others = changes.filter(({ pubKey }) => !known.has(keyText(pubKey as PublicKey)))
  return { ...answer, validatorUpdates: [...own, ...others] }
}

function checkPower(nodes: readonly SimNode[], power: bigint, others: bigint): void {
  const total = others + power
  if (power >= 0n && total > 0n && total <= MAX_TOTAL_VOTING_POWER) return
  const reason =
    total === 0n
      ? `none of the ${nodes.length} validators would be left`
      : `the sum of all powers must be at most ${MAX_TOTAL_VOTING_POWER}`
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
    change: (node, power) => {
      const nodes = nodesOf()
      const pubKey = publicKeyOf(node.options.key)
      const states = nodes.flatMap((one) => one.engine()?.stateStore.load() ?? [])
      const height = 1 + Math.max(0, ...states.map(({ lastBlockHeight }) => lastBlockHeight))
      const present =
        states.find(({ lastBlockHeight }) => lastBlockHeight === height - 1)?.nextValidators.validators ?? []
      const others = present.filter((one) => keyText(one.pubKey) !== keyText(pubKey))
      checkPower(
        nodes,
        power,
        others.reduce((sum, { votingPower }) => sum + votingPower, 0n),
      )
      // A validator that is removed already cannot be removed again.
      if (power === 0n && others.length === present.length) return
      const before = (changes.get(height) ?? []).filter((one) => keyText(one.pubKey as PublicKey) !== keyText(pubKey))
      changes.set(height, [...before, { pubKey, power }])
    },
    present: () => {
      const set = nodesOf()[0]?.engine()?.stateStore.load()?.validators.validators ?? []
      const byKey = new Map(set.map(({ pubKey, votingPower }) => [keyText(pubKey), votingPower]))
      return (node) => byKey.get(keyText(publicKeyOf(node.options.key))) ?? 0n
    },
    save: () => new Map(changes),
    restore: (saved) => {
      changes = new Map(saved)
    },
  }
}
