import type { BlockMaking } from '@org/engine'
import type { Validator } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { addressOf, formatPublicKey, publicKeyOf } from '@org/types/crypto'
import type { SimNode } from '../node/index.ts'
import type { ConsensusState } from './refusals.ts'

/** The maximum number of keys that an error lists. */
const MAX_KEYS = 3

/** Returns the name of the validator with this address, or the address in hexadecimal. */
export function nameOf(nodes: readonly SimNode[], address: Uint8Array): string {
  const found = nodes.find(({ options }) => equalBytes(addressOf(publicKeyOf(options.key)), address))
  return found?.name ?? bytesToHex(address)
}

/** Returns the consensus state of the validator with this name, while it runs. */
export function stateOf(nodes: readonly SimNode[], name: string): ConsensusState | undefined {
  const state = nodes
    .find((node) => node.name === name)
    ?.engine()
    ?.consensus.roundState()
  return state === undefined ? undefined : { round: state.round, validators: state.chain.validators.validators }
}

/**
 * Checks that the nodes have enough keys to decide a block. If no node in `nodes` has the key of a validator, this
 * validator cannot vote. The function adds the powers of all validators that cannot vote. If the sum is a third of the
 * total power or more, no block can be decided, and the function returns a text with this reason. If the sum is less,
 * the function returns `undefined`.
 */
export function missingPower(engine: BlockMaking | undefined, nodes: readonly SimNode[]): string | undefined {
  const { validators = [] } = engine?.consensus.roundState().chain.validators ?? {}
  const powerOf = (some: readonly Validator[]): bigint => some.reduce((sum, { votingPower }) => sum + votingPower, 0n)
  const foreign = validators.filter(({ address }) => nameOf(nodes, address) === bytesToHex(address))
  const [all, missing] = [powerOf(validators), powerOf(foreign)]
  if (foreign.length === 0 || 3n * (all - missing) > 2n * all) return undefined
  const keys = foreign.slice(0, MAX_KEYS).map(({ pubKey }) => formatPublicKey(pubKey))
  const more = foreign.length > keys.length ? ` and ${foreign.length - keys.length} more` : ''
  return `validators whose nodes do not run in this chain have ${missing} of the total power ${all}, so that no block gets +2/3: ${keys.join(', ')}${more}. Either the application named these validators in initChain or in validatorUpdates, or genesis.validators names them. An application should keep the validators that initChain receives`
}
