import { type HeaderServer, RESTORE_ERRORS, type StateProvider } from '@org/engine'
import type { TrustRoot } from '@org/light'
import { createHeaderServer, createLightStateProvider, type StateServer } from '@org/node-rpc/statesync'
import { isCodedError, type Logger } from '@org/runtime'
import { hexToBytes } from '@org/types/bytes'
import type { SharedSignatures, SimNode } from '../node/index.ts'
import type { Life, RandomSource } from '../world/index.ts'
import { isAboutOldBlocks, type ServerLie } from './lies.ts'
import { createSimStateServer } from './state-server.ts'

/** The options of the joiners: nodes that begin with a snapshot, which they fetch from their peers. */
export interface JoinerOptions {
  /** The number of joiners. Their indices follow those of the validators and the full nodes. */
  readonly nodes: number
  /** The height of the chain at which the joiners start. */
  readonly startAt: number
  /** The indices of the nodes from which the joiners request headers; at least two. The first is the primary. */
  readonly servers: readonly number[]
  /**
   * The servers that lie. If a joiner stops with an error about its servers, it uses no lying server after its next
   * start.
   */
  readonly lies: readonly { readonly server: number; readonly lie: ServerLie }[]
  /** The difference between the height of the newest header and the height of the header that the operator trusts. */
  readonly trustBack: number
  /**
   * The maximum time, in milliseconds, from a node's first to its last request for a chunk of one snapshot. Set this
   * only for a network without faults, and for a snapshot whose chunks the joiner may request all at once. By default,
   * the time is not checked.
   */
  readonly requestsWithinMs?: number
  /** The pause, in milliseconds, after each batch of headers below the snapshot. Default: a short pause. */
  readonly backfillPauseMs?: number
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
  readonly random: RandomSource
  readonly logger: (node: string) => Logger
  /**
   * The range of the time, in milliseconds, that a message takes in one direction. A request and its answer together
   * take twice a time from this range.
   */
  readonly latencyMs: readonly [low: number, high: number]
}

/** The state providers of the nodes that begin with a snapshot. */
export interface StateProviders {
  readonly forLife: (joiner: SimNode, life: Life) => Promise<StateProvider>
  /**
   * Returns the servers from which a joiner fetches the headers below its snapshot. They are the servers of state sync,
   * with the same lies. A server with a lie about old blocks lies only about these headers. During state sync it is
   * honest.
   */
  readonly headerServers: (joiner: SimNode, life: Life) => readonly HeaderServer[]
  /**
   * Handles the error with which a joiner has stopped. If the error is about the joiner's servers, the joiner uses no
   * lying server after its next start, as if its operator had removed the lying servers. Returns true if the error was
   * to be expected, because some of the joiner's servers lied or did not answer.
   */
  readonly stopped: (joiner: SimNode, error: Error) => boolean
}

/**
 * The settings for the servers that a joiner uses. The servers for state sync and the servers of the headers below the
 * snapshot have different settings.
 */
interface ServersFor {
  readonly trustHeight: number
  readonly random: RandomSource
  readonly onSilence: () => void
  /** True if the lies about blocks below a snapshot are used. If false, a server with one of these lies is honest. */
  readonly liesAboutOld: boolean
}

const TRUST_PERIOD = 3_600_000_000_000n
const POLL_MS = 50

export function createStateProviders(options: JoinerOptions, modules: StateProvidersModules): StateProviders {
  const { chainId, initialHeight, record, signatures, random, latencyMs } = modules
  // The servers of headers have their own random source. Then their answers do not change the random times of the
  // answers for state sync.
  const headerRandom = random.fork('headers')
  /**
   * The joiners that use no lying server after their next start, because they stopped with an error about their
   * servers.
   */
  const corrected = new Set<string>()
  /** The joiners that got no answer from one of their servers, because the server was down or its lie is `silence`. */
  const silent = new Set<string>()

  /**
   * Waits until the chain has two blocks. Resolves with the height and the hash of the header that the operator trusts.
   */
  async function trustRoot(life: Life): Promise<TrustRoot> {
    for (;;) {
      const height = Math.max(initialHeight, record.height() - options.trustBack)
      const committed = record.height() > initialHeight ? record.at(height) : undefined
      const hash = committed && hexToBytes(committed.hash)
      if (hash) return { height, hash }
      await life.wait(POLL_MS)
    }
  }

  function serversOf(
    joiner: SimNode,
    life: Life,
    { trustHeight, random, onSilence, liesAboutOld }: ServersFor,
  ): readonly StateServer[] {
    const nodes = modules.nodes()
    const honest = corrected.has(joiner.name)
    return options.servers.flatMap((index) => {
      const node = nodes[index]
      const chosen = options.lies.find(({ server }) => server === index)?.lie
      const lie = liesAboutOld || !isAboutOldBlocks(chosen) ? chosen : undefined
      if (node === undefined || (honest && lie !== undefined)) return []
      const answerMs = (): number => 2 * random.between(...latencyMs)
      return [createSimStateServer({ chainId, node, lie, trustHeight, answerMs, onSilence }, life)]
    })
  }

  return {
    headerServers: (joiner, life) =>
      serversOf(joiner, life, {
        trustHeight: record.height(),
        random: headerRandom,
        onSilence: () => undefined,
        liesAboutOld: true,
      }).map(createHeaderServer),
    forLife: async (joiner, life) => {
      const trust = await trustRoot(life)
      const onSilence = (): void => void silent.add(joiner.name)
      const servers = serversOf(joiner, life, { trustHeight: trust.height, random, onSilence, liesAboutOld: false })
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
