import type { BlockMaking } from '@org/engine'
import type { Validator } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { OpenedChain } from '../chain/create-chain.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'
import type { Member, Members } from './members.ts'

/**
 * Throws `DEVNET_NO_MAJORITY` if the validators that run, sign and are connected to the first validator have too little
 * power for a block.
 */
export function checkMajority({ engine }: OpenedChain, members: Members): void {
  const { validators } = engine().consensus.roundState().chain.validators
  const isActive = (address: Uint8Array): boolean =>
    members
      .all()
      .some((member) => isAt(member, address) && member.signs && !member.isApart && member.node.status() === 'running')
  const total = validators.reduce((sum, { votingPower }) => sum + votingPower, 0n)
  const active = validators.reduce((sum, { address, votingPower }) => sum + (isActive(address) ? votingPower : 0n), 0n)
  if (3n * active > 2n * total) return
  const message = `a block needs more than two thirds of the power (${total}), but the validators that run, sign and are connected to the first validator have a power of only ${active}: call set_signing_status with the status up, dev_restart or dev_heal`
  throw new DevnetError(DEVNET_ERRORS.noMajority, message)
}

const isAt = ({ address }: Member, bytes: Uint8Array): boolean => address === bytesToHex(bytes)

/**
 * Returns the power of the validators of this process (`held`), and the power of all validators of the chain (`total`).
 */
export function heldPower(
  { consensus }: Pick<BlockMaking, 'consensus'>,
  members: Members,
): { readonly held: bigint; readonly total: bigint } {
  const { validators } = consensus.roundState().chain.validators
  const powerOf = (some: readonly Validator[]): bigint => some.reduce((sum, { votingPower }) => sum + votingPower, 0n)
  const own = validators.filter(({ address }) => members.all().some((member) => isAt(member, address)))
  return { held: powerOf(own), total: powerOf(validators) }
}
