import { RESTORE_ERRORS, type StateProvider } from '@org/engine'
import type { TrustRoot } from '@org/light'
import { createLightStateProvider } from '@org/node-rpc/statesync'
import { isCodedError, type Logger } from '@org/runtime'
import { hexToBytes } from '@org/types/bytes'
import type { SharedSignatures, SimNode } from '../node/index.ts'
import type { Dice, Life } from '../world/index.ts'
import type { ServerLie } from './lies.ts'
import { createSimStateServer } from './state-server.ts'

/** Nodes that begin with a snapshot, which they fetch from their peers. */
export interface JoinerOptions {
  /** The number of these nodes. Their indices follow those of the validators and the full nodes. */
  readonly nodes: number
  /** The height of the chain at which these nodes start. */
  readonly startAt: number
  /** The indices of the nodes from which the joining nodes request headers; at least two. The first is the primary. */
  readonly servers: readonly number[]
  /** Servers that lie. An operator replaces a server when state sync ends with an error about its servers. */
  readonly lies: readonly { readonly server: number; readonly lie: ServerLie }[]
  /** The operator trusts the header that is this many heights below the newest one. */
  readonly trustBack: number
  /**
   * The maximum time, in milliseconds, in which a joining node must request all chunks of a snapshot, if it may
   * request all of them at once. It is only for networks without faults.
   */
  readonly requestsWithinMs?: number
}

/** The blocks that the network has committed. */
export interface CommittedChain {
  /** Returns the hash of the block, in hex. */
  readonly at: (height: number) => { readonly hash: string } | undefined
  /** Returns the height of the last block. */
  readonly height: () => number
}

export interface StateProvidersModules {
  readonly chainId: string
  readonly initialHeight: number
  readonly nodes: () => readonly SimNode[]
  readonly record: CommittedChain
  readonly signatures: Pick<SharedSignatures, 'findInvalid'>
  readonly dice: Dice
  readonly logger: (node: string) => Logger
  /** The range of the duration of an answer, in milliseconds. */
  readonly latencyMs: readonly [low: number, high: number]
}

/** The state providers of the nodes that begin with a snapshot. */
export interface StateProviders {
  readonly forLife: (joiner: SimNode, life: Life) => Promise<StateProvider>
  /**
   * To be called when a joiner has stopped with an error. If the error is about the joiner's servers, an operator
   * replaces the lying servers before the next start. Returns true if the joiner stopped because of its servers, and
   * some of them lied or were down.
   */
  readonly stopped: (joiner: SimNode, error: Error) => boolean
}

const TRUST_PERIOD = 3_600_000_000_000n
const POLL_MS = 50

export function createStateProviders(options: JoinerOptions, modules: StateProvidersModules): StateProviders {
  const { chainId, initialHeight, record, signatures, dice, latencyMs } = modules
  /** Joiners whose operator has replaced the lying servers. */
  const corrected = new Set<string>()
  /** The joiners that got no answer from one of their servers, because the server was down or its lie is `silence`. */
  const silent = new Set<string>()

  /** Resolves with a header that is in the chain. */
  async function trustRoot(life: Life): Promise<TrustRoot> {
    for (;;) {
      const height = Math.max(initialHeight, record.height() - options.trustBack)
      const committed = record.height() > initialHeight ? record.at(height) : undefined
      const hash = committed && hexToBytes(committed.hash)
      if (hash) return { height, hash }
      await life.wait(POLL_MS)
    }
  }

  return {
    forLife: async (joiner, life) => {
      const trust = await trustRoot(life)
      const nodes = modules.nodes()
      const honest = corrected.has(joiner.name)
      const servers = options.servers.flatMap((index) => {
        const node = nodes[index]
        const lie = options.lies.find(({ server }) => server === index)?.lie
        if (node === undefined || (honest && lie !== undefined)) return []
        const answerMs = (): number => 2 * dice.between(...latencyMs)
        const onSilence = (): void => void silent.add(joiner.name)
        return [createSimStateServer({ chainId, node, lie, trustHeight: trust.height, answerMs, onSilence }, life)]
      })
      return createLightStateProvider(
        { chainId, initialHeight, trust, trustPeriod: TRUST_PERIOD },
        {
          servers,
          clock: life.clock,
          logger: modules.logger(joiner.name),
          signal: new AbortController().signal,
          findInvalid: signatures.findInvalid,
        },
      )
    },
    stopped: (joiner, error) => {
      if (!isCodedError(error, RESTORE_ERRORS.servers)) return false
      const hadLies = options.lies.length > 0 && !corrected.has(joiner.name)
      corrected.add(joiner.name)
      return silent.delete(joiner.name) || hadLies
    },
  }
}
