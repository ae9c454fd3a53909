import { roundStateSimpleToJson, roundStateToJson } from '@org/engine/consensus/driver'
import type { Engine } from '@org/engine/node'
import type { Ports } from '@org/rpc'
import type { Logger } from '@org/runtime'
import { addressOf } from '@org/types/crypto'
import type { Config } from '../config/index.ts'
import { createAppQuery } from './app.ts'
import { createEventsPort } from './events.ts'
import { createMempoolPort } from './mempool.ts'
import { createLonelyNetwork, makeNodeInfo } from './network.ts'

export interface PortsModules {
  readonly config: Config
  readonly nodeId: string
  readonly logger: Logger
}

/** Everything that the RPC asks of a running node. */
export function createPorts(engine: Engine, { config, nodeId, logger }: PortsModules): Ports {
  const { consensus, publicKey, index, initialState } = engine
  const nodeInfo = makeNodeInfo(config, {
    nodeId,
    chainId: engine.genesis.chainId,
    appVersion: initialState.version.consensus.app,
    indexing: index.enabled,
  })
  return {
    blocks: engine.blockStore,
    state: engine.stateStore,
    genesis: { text: () => engine.genesisText },
    search: index,
    app: createAppQuery(engine.abci),
    mempool: createMempoolPort(engine.mempool),
    events: createEventsPort({ bus: engine.events, txWaiters: engine.txWaiters }),
    network: createLonelyNetwork(nodeInfo, {
      externalAddress: config.p2p.externalAddress,
      logger: logger.child('p2p'),
    }),
    consensus: {
      roundState: () => roundStateToJson(consensus.roundState()),
      roundStateSimple: () => roundStateSimpleToJson(consensus.roundState()),
      peerStates: () => [],
      waitSync: engine.isWaitingForBlocks,
    },
    validator: { publicKey, address: addressOf(publicKey) },
    evidence: { addEvidence: engine.evidencePool.addEvidence },
  }
}
