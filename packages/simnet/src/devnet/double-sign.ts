import type { ChainStart, CommittedChain } from '@org/engine'
import type { Evidence } from '@org/types'
import { doubleSignAt, type SimNode } from '../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'

/** Returns the evidence that a validator signed two precommits at the last height. */
export function makeDoubleSign(engine: ChainStart & CommittedChain, { options, name }: SimNode): Evidence {
  const height = engine.blockStore.height()
  const evidence = doubleSignAt(engine, { key: options.key, height })
  if (evidence !== undefined) return evidence
  const message = `${name} was not a validator at height ${height}, so it cannot sign two votes at this height`
  throw new DevnetError(DEVNET_ERRORS.validatorState, message)
}
