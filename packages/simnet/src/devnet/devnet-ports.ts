import { createPorts } from '@org/node-rpc'
import type { DevnetControl, Ports } from '@org/rpc'
import type { OpenedChain } from '../chain/create-chain.ts'
import { CHAIN_ERRORS, ChainError } from '../chain/errors.ts'
import type { SimNode } from '../node/index.ts'

/**
 * Returns a function that makes the ports with which the RPC reads the running engine. The engine is replaced when the
 * validators start again. So the function compares the running engine with the engine of its last call, and makes new
 * ports only if the engine was replaced.
 */
export function portsOf({ engine, network }: OpenedChain, devnet: DevnetControl): () => Ports {
  const [node] = network.nodes as [SimNode]
  let current: { readonly engine: unknown; readonly ports: Ports } | undefined
  return () => {
    const running = engine()
    if (current?.engine === running) return current.ports
    const [opened, life] = [node.p2p(), node.life()]
    if (opened === undefined || life === undefined)
      throw new ChainError(CHAIN_ERRORS.stopped, 'the chain is stopped: create another chain')
    // The port `precedence` lets calls wait while the node makes a block. But the time of the chain stands still during
    // a call, so the node would never finish the block. So this port is left out.
    const { precedence: _, ...ports } = createPorts(running, {
      config: { p2p: { externalAddress: '' } },
      p2p: opened,
      clock: life.clock,
    })
    current = { engine: running, ports: { ...ports, devnet } }
    return current.ports
  }
}
