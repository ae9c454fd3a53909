import type { CommittedChain } from '@org/engine'
import { messageOf } from '@org/runtime'
import { hashCommit, hashHeader, hashValidators } from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { commitFault, type Verify } from './block-rules.ts'
import type { ChainRecord } from './chain-record.ts'

type Stores = Pick<CommittedChain, 'blockStore' | 'stateStore'>

export interface BackfilledModules {
  readonly chainId: string
  readonly record: Pick<ChainRecord, 'at'>
  readonly verify: Verify
}

/**
 * Returns what is wrong with the stored data of a height at or below the node's snapshot; `undefined` if the data is
 * correct. `snapshot` is the height of the snapshot.
 */
function heightFault(
  { blockStore, stateStore }: Stores,
  { height, snapshot }: { readonly height: number; readonly snapshot: number },
  { chainId, record, verify }: BackfilledModules,
): string | undefined {
  const meta = blockStore.loadBlockMeta(height)
  if (meta === undefined) return 'the header is missing'
  const { header, blockId } = meta
  const hash = hashHeader(header)
  if (bytesToHex(hash) !== record.at(height)?.hash || !equalBytes(hash, blockId.hash))
    return 'the header is not that of the chain'
  const validators = stateStore.loadSigners(height)
  if (!equalBytes(hashValidators(validators), header.validatorsHash))
    return 'the stored validators are not those of the header'
  // The node stores the commit of the snapshot's height only together with the next block.
  if (height === snapshot) return undefined
  const commit = blockStore.loadBlockCommit(height)
  if (commit === undefined) return 'the commit is missing'
  const fault = commitFault({ chainId, validators, blockId, height, commit }, verify)
  if (fault !== undefined) return `the commit is invalid: ${fault}`
  const above = blockStore.loadBlockMeta(height + 1)
  if (above === undefined || !equalBytes(hashCommit(commit), above.header.lastCommitHash))
    return 'the commit is not the one of the next header'
  return undefined
}

/**
 * Returns what is wrong with the headers, commits and validators that a node stored for the heights below its snapshot;
 * `undefined` if all are correct. No height may be missing between the lowest stored height and the snapshot.
 */
export function backfillFault(stores: Stores, modules: BackfilledModules): string | undefined {
  const range = stores.blockStore.backfilled()
  if (range === undefined) return undefined
  const { snapshot, lowest } = range
  for (let height = snapshot; height >= lowest; height--) {
    try {
      const fault = heightFault(stores, { height, snapshot }, modules)
      if (fault !== undefined) return `height ${height} below the snapshot: ${fault}`
    } catch (error) {
      return `height ${height} below the snapshot cannot be read: ${messageOf(error)}`
    }
  }
  return undefined
}

/**
 * Returns true if a node that began with a snapshot has the headers of all heights that evidence may concern. The
 * lowest stored height is then the first height of the chain, or a height whose evidence has expired by the number of
 * blocks and by the time.
 */
export function isBackfilled({ blockStore, stateStore }: Stores, initialHeight: number): boolean {
  const { lowest = Number.MAX_SAFE_INTEGER } = blockStore.backfilled() ?? {}
  const [header, state] = [blockStore.loadBlockMeta(lowest)?.header, stateStore.load()]
  if (header === undefined || state === undefined) return false
  const { maxAgeNumBlocks, maxAgeDuration } = state.consensusParams.evidence
  const isOld = BigInt(state.lastBlockHeight - lowest) > maxAgeNumBlocks
  return lowest <= initialHeight || (isOld && state.lastBlockTime - header.time > maxAgeDuration)
}
