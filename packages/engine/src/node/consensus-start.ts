import type { Logger } from '@org/runtime'
import type { EventData, State } from '@org/types'
import type { PublicKey } from '@org/types/crypto'
import { type Consensus, newRoundStepEvent } from '../consensus/driver/index.ts'
import { nextHeight } from '../consensus/machine/index.ts'
import type { BlockStore } from '../store/index.ts'
import type { Engine } from './engine.ts'
import type { EngineOptions } from './options.ts'
import { checkNotSignedRecently } from './signed-recently.ts'
import { lacksExtensions, mustWaitForBlocks } from './sync-decision.ts'

export interface ConsensusStartModules {
  readonly consensus: Consensus
  readonly initialState: State
  readonly blockStore: BlockStore
  readonly publicKey: PublicKey
  readonly publish: (event: EventData) => void
  readonly logger: Logger
}

/**
 * Creates the functions that start consensus. Normally `start` starts consensus immediately. If the node must first
 * fetch blocks from peers, `start` does not start consensus. The caller must then call `startConsensus` when the node
 * has fetched these blocks.
 */
export function createConsensusStart(
  options: EngineOptions['consensus'],
  { consensus, initialState, blockStore, publicKey, publish, logger }: ConsensusStartModules,
): Pick<Engine, 'isWaitingForBlocks' | 'start' | 'startConsensus'> {
  let waits = mustWaitForBlocks(initialState, publicKey) || lacksExtensions(initialState, blockStore)

  /**
   * Publishes the first step of consensus. The reference does so too when a node changes from block sync to consensus.
   */
  function publishFirstStep(): void {
    try {
      publish(newRoundStepEvent(consensus.roundState()))
    } catch (error) {
      logger.error('Failed to publish an event', { event: 'NewRoundStep', error })
    }
  }

  async function startConsensus(state: State): Promise<void> {
    const { doubleSignCheckHeight: lookBack } = options
    checkNotSignedRecently({ height: nextHeight(state), lookBack, publicKey }, blockStore)
    if (state !== initialState) consensus.resetTo(state)
    if (waits) publishFirstStep()
    await consensus.start()
    waits = false
  }

  return {
    isWaitingForBlocks: () => waits,
    start: async () => {
      if (waits) logger.info('Waiting for blocks of other validators')
      else await startConsensus(initialState)
    },
    startConsensus,
  }
}
