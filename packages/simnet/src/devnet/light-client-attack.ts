import type { ChainStart, CommittedChain } from '@org/engine'
import { type LightBlock, lightBlockToWire } from '@org/light'
import { byzantineValidators, type Evidence, totalVotingPower, type ValidatorSet, validatorByAddress } from '@org/types'
import { addressOf, type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { forgeLightBlock, type LightAttack } from '../light-clients/index.ts'
import type { SimNode } from '../node/index.ts'
import { lightBlockAt } from '../servers/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'

const powerOf = (key: PrivateKey, set: ValidatorSet): bigint =>
  validatorByAddress(set, addressOf(publicKeyOf(key)))?.validator.votingPower ?? 0n

/**
 * Returns the keys that sign a forged header. The first key is the key of the validator `guilty`. Then keys of other
 * validators are added, the strongest validator first, until a light client would accept the header. With fewer keys
 * the attack could not have succeeded, and a chain refuses evidence of such an attack.
 */
function signers(
  guilty: SimNode,
  nodes: readonly SimNode[],
  { set, attack }: { readonly set: ValidatorSet; readonly attack: LightAttack },
) {
  const thirds = attack === 'lunatic' ? 1n : 2n
  const total = totalVotingPower(set)
  const others = nodes.filter((node) => node !== guilty).map(({ options }) => options.key)
  const strongest = others.toSorted((a, b) => Number(powerOf(b, set) - powerOf(a, set)))
  const keys = [guilty.options.key]
  for (const key of strongest) {
    if (keys.reduce((sum, each) => sum + powerOf(each, set), 0n) * 3n > total * thirds) break
    keys.push(key)
  }
  return keys
}

function blockAt(engine: CommittedChain, height: number): LightBlock {
  const block = lightBlockAt(engine, height)
  if (block !== undefined) return block
  throw new DevnetError(
    DEVNET_ERRORS.validatorState,
    `the devnet has no block of height ${height}: call advance_blocks first`,
  )
}

/**
 * Returns the evidence of an attack in which the validator `guilty` signed a forged header. The height of the forged
 * header is one below the last height of the chain. Other validators signed the forged header too, but not more than
 * the attack needs.
 */
export function makeLightClientAttack(
  engine: ChainStart & CommittedChain,
  nodes: readonly SimNode[],
  { guilty, attack }: { readonly guilty: SimNode; readonly attack: LightAttack },
): Evidence {
  const { blockStore, genesis } = engine
  // The forged header is not of the last height. The commit of the last height is not in a block yet, and a chain
  // refuses evidence about such a height.
  const height = blockStore.height() - 1
  const trusted = blockAt(engine, height)
  // The attackers are validators of the common header. In a lunatic attack, the forged header names other validators,
  // so the common header is the header before the forged one. In an equivocation or amnesia attack, the forged header
  // names the right validators, so the common header has the same height as the forged one.
  const common = attack === 'lunatic' ? blockAt(engine, height - 1) : trusted
  if (powerOf(guilty.options.key, common.validators) === 0n) {
    const message = `${guilty.name} was not a validator at height ${common.header.height}, so it cannot attack a light client there`
    throw new DevnetError(DEVNET_ERRORS.validatorState, message)
  }
  const keys = signers(guilty, nodes, { set: common.validators, attack })
  const forged = forgeLightBlock(trusted, { attack, keys, chainId: genesis.chainId })
  const evidence = {
    conflictingBlock: lightBlockToWire(forged),
    commonHeight: common.header.height,
    byzantineValidators: [],
    totalVotingPower: totalVotingPower(common.validators),
    timestamp: common.header.time,
  }
  const { header, commit } = trusted
  const liars = byzantineValidators(evidence, common.validators, { header, commit })
  return { sum: { case: 'lightClientAttackEvidence', value: { ...evidence, byzantineValidators: [...liars] } } }
}
