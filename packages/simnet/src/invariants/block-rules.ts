import { messageOf } from '@org/runtime'
import {
  type Block,
  type Commit,
  type CommitClaim,
  type GenesisDoc,
  hasAddress,
  hashBlock,
  hashValidators,
  medianTime,
  verifyCommitSync,
} from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import type { SignedItem } from '@org/types/crypto'
import type { ValidatorsAt } from './known-validators.ts'

/**
 * Returns why a block must not follow the block before it; `undefined` if it may follow, or if the data for the check
 * are missing.
 */
export type BlockFault = (block: Block, before: { readonly time: bigint } | undefined) => string | undefined

export interface BlockRulesModules {
  readonly genesis: GenesisDoc
  readonly validatorsAt: ValidatorsAt
  readonly verify: Verify
}

export type Verify = (item: SignedItem) => boolean

/** The maximum number of blocks whose check result is kept. Each block is checked once for all nodes. */
const KEEP = 1000

/** Returns why the commit does not prove the block; `undefined` if it does. */
export function commitFault(claim: CommitClaim, verify: Verify): string | undefined {
  try {
    verifyCommitSync(claim, (items) => items.findIndex((item) => !verify(item)))
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

export function createBlockRules({ genesis, validatorsAt, verify }: BlockRulesModules): BlockFault {
  const judged = new Map<string, string | undefined>()

  function validatorsFault({ header }: Block): string | undefined {
    const { height } = header
    const [own, next] = [validatorsAt(height), validatorsAt(height + 1)]
    if (own !== undefined && !equalBytes(hashValidators(own), header.validatorsHash))
      return 'names other validators than the state has for its height'
    if (next !== undefined && !equalBytes(hashValidators(next), header.nextValidatorsHash)) {
      return 'names other validators of the next height than the state has'
    }
    if (own !== undefined && !hasAddress(own, header.proposerAddress)) return 'has a proposer that is not a validator'
    return undefined
  }

  function lastCommitFault({ header, lastCommit }: Block, before: { readonly time: bigint }): string | undefined {
    const height = header.height - 1
    const validators = validatorsAt(height)
    if (validators === undefined) return undefined
    const commit = lastCommit as Commit
    const claim = { chainId: genesis.chainId, validators, blockId: header.lastBlockId, height, commit }
    const fault = commitFault(claim, verify)
    if (fault !== undefined) return `has an invalid last commit: ${fault}`
    if (header.time <= before.time)
      return `has the time ${header.time}, which is not after the time ${before.time} of the block before`
    const median = medianTime(commit, validators)
    return header.time === median
      ? undefined
      : `has the time ${header.time}, but the median time of its last commit is ${median}`
  }

  function faultOf(block: Block, before: { readonly time: bigint } | undefined): string | undefined {
    const { height, time } = block.header
    const fault = validatorsFault(block)
    if (fault !== undefined) return fault
    if (height === genesis.initialHeight)
      return time === genesis.genesisTime ? undefined : 'does not have the time of the genesis'
    return before && lastCommitFault(block, before)
  }

  return (block, before) => {
    const name = bytesToHex(hashBlock(block))
    if (judged.has(name)) return judged.get(name)
    const fault = faultOf(block, before)
    const { height } = block.header
    const isWhole = before !== undefined && validatorsAt(height - 1) !== undefined && validatorsAt(height) !== undefined
    if (isWhole || height === genesis.initialHeight) judged.set(name, fault)
    const [oldest] = judged.keys()
    if (judged.size > KEEP && oldest !== undefined) judged.delete(oldest)
    return fault
  }
}
