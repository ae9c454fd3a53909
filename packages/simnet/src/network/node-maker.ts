import type { MethodName } from '@org/abci'
import { noopLogger } from '@org/runtime'
import { encodeGenesis, type GenesisDoc } from '@org/types'
import type { ResponsePrepareProposal } from '@org/types/abci'
import { bytesToUtf8 } from '@org/types/bytes'
import { createTallyApp } from '../app/index.ts'
import type { AppCall, Monitor } from '../invariants/index.ts'
import { createSimNode, type SharedSignatures, type SimNode } from '../node/index.ts'
import type { Hub } from '../peers/index.ts'
import type { StateProviders } from '../servers/index.ts'
import { type RandomSource, type Scheduler, type Trace, WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { Effects } from './effects.ts'
import { powersOf } from './genesis.ts'
import type { PlacedNode } from './layout.ts'
import { nodeOptions, tallyOptions } from './node-options.ts'
import type { NetworkOptions } from './options.ts'

export interface NodeMakerModules {
  readonly scheduler: Scheduler
  readonly random: RandomSource
  readonly trace: Trace
  readonly hub: Hub
  readonly signatures: SharedSignatures
  /** Receives the effects of each node. */
  readonly effects: Pick<Effects, 'report'>
  /** Receives the reports of each node, such as its messages and its answers from the application. */
  readonly monitor: Monitor
  /** The state providers of joiners; `undefined` in a network without joiners. */
  readonly providers: StateProviders | undefined
  readonly genesis: GenesisDoc
}

/** Returns a function that creates a node of the network and connects its reports to the monitor. */
export function createNodeMaker(options: NetworkOptions, modules: NodeMakerModules): (place: PlacedNode) => SimNode {
  const { scheduler, random, trace, hub, signatures, effects, monitor, providers, genesis } = modules
  const genesisText = encodeGenesis(genesis)
  const tally = { ...tallyOptions(options), ...(options.joiners && { genesisPowers: powersOf(genesis) }) }

  function answered(name: string, method: MethodName, call: AppCall): void {
    // A transaction that the application makes counts as if a client had sent it.
    if (options.mempool === 'nop' && method === 'prepareProposal')
      for (const tx of (call.answer as ResponsePrepareProposal).txs) monitor.submitted(bytesToUtf8(tx))
    monitor.answered(name, method, call)
  }

  return ({ refused, ...place }) => {
    const { name } = place
    const node: SimNode = createSimNode(nodeOptions(options, place, genesisText), {
      scheduler,
      random,
      trace,
      hub,
      signatures,
      createApp: (home) => options.app?.(home, name) ?? createTallyApp(home, { ...tally, refuses: refused }),
      onDiskOp: (op, when) => effects.report(name, when, { kind: 'disk', name: () => `${op.kind} ${op.name}` }),
      onAppCall: (method, when) => effects.report(name, when, { kind: 'app', name: () => method }),
      onAppAnswer: (method, call) => answered(name, method, call),
      onReject: (from, reason) => monitor.rejected(name, from, reason),
      onPeerEvent: (event) => monitor.peerEvent(node, event),
      onReceived: (from, channelMessage) => monitor.received(node, from, channelMessage),
      onVerified: (signature, holds) => monitor.verified(name, signature, holds),
      onHalt: (error) => {
        if (providers?.stopped(node, error) !== true) monitor.halted(node, error)
      },
      stateProvider: async (life) => {
        if (providers === undefined)
          throw new WorldError(
            WORLD_ERRORS.badState,
            `${name} cannot begin with a snapshot, because it has no state provider`,
          )
        return providers.forLife(node, life)
      },
      headerServers: (life) => providers?.headerServers(node, life) ?? [],
      onStarted: (engine) => monitor.started(node, engine),
      wrapSigner: (signer) => options.wrapSigner?.(signer, name) ?? signer,
      logger: options.logger?.(name) ?? noopLogger,
    })
    return node
  }
}
