import type { CommittedChain, Pools } from '@org/engine'
import { LIGHT_ERRORS, type LightBlock, LightError } from '@org/light'
import { createMemoryProvider } from '@org/light/testing'
import type { StateServer } from '@org/node-rpc/statesync'
import type { SimNode } from '../node/index.ts'
import type { Life } from '../world/index.ts'
import { type LieOptions, lieAbout, lieAboutParams } from './lies.ts'

export interface StateServerOptions extends LieOptions {
  readonly chainId: string
  /** The node that answers. */
  readonly node: SimNode
  /** Changes each block that the server sends, in addition to the changes by `lie`. */
  readonly change?: ((block: LightBlock) => LightBlock) | undefined
  /** Milliseconds that an answer takes. */
  readonly answerMs: () => number
  /** Called when a request fails because `node` is down or `lie` is `silence`. */
  readonly onSilence: () => void
}

/**
 * Returns the header, the commit and the validators of a height, as the RPC of a node returns them. Returns `undefined`
 * if the node does not have them.
 */
export function lightBlockAt({ blockStore, stateStore }: CommittedChain, height: number): LightBlock | undefined {
  const header = blockStore.loadBlockMeta(height)?.header
  const commit = blockStore.loadBlockCommit(height) ?? blockStore.loadSeenCommit(height)
  if (header === undefined || commit === undefined) return undefined
  return { header, commit, validators: stateStore.loadValidators(height) }
}

/**
 * Makes a server of state sync, through which a joining node reads the chain of `node`. Each request takes virtual
 * time, and fails while `node` is down.
 */
export function createSimStateServer(
  { chainId, node, lie, trustHeight, change = (block) => block, answerMs, onSilence }: StateServerOptions,
  life: Life,
): StateServer {
  const blocks = new Map<number, LightBlock>()
  // The memory provider checks the form of each block, as the light client's RPC provider does.
  const checked = createMemoryProvider({ chainId, name: node.name }, blocks)

  async function answering(signal: AbortSignal | undefined): Promise<CommittedChain & Pools> {
    await life.wait(answerMs())
    signal?.throwIfAborted()
    const engine = node.status() === 'running' ? node.engine() : undefined
    if (engine !== undefined && lie !== 'silence') return engine
    onSilence()
    throw new LightError(LIGHT_ERRORS.noResponse, `${node.name} does not answer`, { data: { provider: node.name } })
  }

  return {
    chainId,
    name: node.name,
    lightBlock: async (height, options = {}) => {
      const engine = await answering(options.signal)
      const top = engine.blockStore.height()
      blocks.clear()
      for (const at of new Set([height ?? top, top])) {
        const block = lightBlockAt(engine, at)
        if (block !== undefined) blocks.set(at, change(lieAbout(block, { lie, trustHeight })))
      }
      return checked.lightBlock(height, options)
    },
    reportEvidence: async (evidence, options = {}) => {
      const engine = await answering(options.signal)
      await engine.evidencePool.addEvidence({ sum: { case: 'lightClientAttackEvidence', value: evidence } })
    },
    consensusParams: async (height, signal) => {
      const engine = await answering(signal)
      return lieAboutParams(engine.stateStore.loadConsensusParams(height), lie)
    },
  }
}
