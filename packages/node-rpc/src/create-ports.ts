import { type OpenedP2p, roundStateSimpleToJson, roundStateToJson } from '@org/engine'
import { createEventHistory } from '@org/engine/events'
import { formatNetAddress } from '@org/p2p'
import type { Ports } from '@org/rpc'
import type { Clock } from '@org/runtime'
import { addressOf } from '@org/types/crypto'
import { createAppQuery } from './app.ts'
import type { RpcEngine } from './engine-port.ts'
import { createEventsPort } from './events.ts'
import { createMempoolPort } from './mempool.ts'
import { createPeersPort, type RpcP2p } from './peers.ts'
import { syncProgressText } from './sync-progress-text.ts'

/** The configuration, the P2P layer and the clock that the ports of the RPC use. */
export interface PortsModules {
  /** The part of the configuration that the RPC shows. */
  readonly config: { readonly p2p: { readonly externalAddress: string } }
  readonly p2p: RpcP2p & Pick<OpenedP2p, 'peerStates' | 'syncProgress'>
  readonly clock: Clock
}

/** Creates the ports through which the RPC uses a running node. */
export function createPorts(engine: RpcEngine, { config, p2p, clock }: PortsModules): Ports {
  const { consensus, publicKey, index, events: bus, txWaiters } = engine
  const { initialHeight, lastBlockHeight: startHeight } = engine.initialState
  let failure: string | undefined
  consensus.onHalt(({ code }) => {
    failure = code
  })
  const history = createEventHistory({ initialHeight, startHeight }, { bus, ...engine })
  return {
    blocks: engine.blockStore,
    state: engine.stateStore,
    genesis: { text: () => engine.genesisText },
    search: index,
    app: createAppQuery(engine.abci),
    mempool: createMempoolPort(engine.mempool),
    events: createEventsPort({ bus, txWaiters, history, index, chainId: engine.genesis.chainId }),
    peers: createPeersPort({ p2p, externalAddress: config.p2p.externalAddress, now: clock.now }),
    consensus: {
      roundState: () => roundStateToJson(consensus.roundState()),
      roundStateSimple: () => roundStateSimpleToJson(consensus.roundState()),
      peerStates: () =>
        p2p.peerStates().map(({ peer, state }) => ({
          nodeAddress: formatNetAddress(peer.socketAddress),
          peerState: state,
        })),
      failure: () => failure,
      onFailure: (listener, signal) => consensus.onHalt(({ code }) => listener(code), signal),
      waitSync: engine.isWaitingForBlocks,
      syncProgress: () => syncProgressText(p2p.syncProgress()),
    },
    precedence: { isBusy: consensus.isBusy, onPause: consensus.onPause },
    validator: { publicKey, address: addressOf(publicKey) },
    evidence: { addEvidence: engine.evidencePool.addEvidence },
  }
}
