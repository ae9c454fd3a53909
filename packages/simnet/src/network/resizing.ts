import type { SimNode } from '../node/index.ts'
import { WORLD_ERRORS, WorldError } from '../world/index.ts'
import { type PlacedNode, placeAddedNode } from './layout.ts'
import type { NetworkOptions } from './options.ts'
import type { SimNetwork } from './sim-network.ts'

export interface ResizingModules {
  /** All nodes of the network. The functions of this file add nodes to this list and remove them. */
  readonly nodes: SimNode[]
  /** The validators of the network. The functions of this file change this list, too. */
  readonly validators: SimNode[]
  readonly options: Pick<NetworkOptions, 'fullNodes' | 'joiners' | 'exchange'>
  readonly chainId: string
  readonly make: (place: PlacedNode) => SimNode
}

/** Returns `setValidators` of a network. */
export function createResizing(modules: ResizingModules): SimNetwork['setValidators'] {
  const { nodes, validators, options, chainId, make } = modules
  const minimum = validators.length
  const { fullNodes, joiners, exchange } = options
  const isFixed = fullNodes > 0 || joiners !== undefined || exchange !== undefined
  /** All nodes that were ever made. A node that is removed is kept, so that it can come back with the same keys. */
  const made = [...nodes]

  return (count) => {
    if (isFixed || count < minimum) {
      const message = `the network cannot have ${count} validators: it needs at least ${minimum}, and no full nodes, joiners or exchange of addresses`
      throw new WorldError(WORLD_ERRORS.badState, message)
    }
    for (const node of nodes.slice(count)) node.crash('kill')
    while (made.length < count) made.push(make(placeAddedNode(made.length, chainId)))
    for (const list of [nodes, validators]) list.splice(0, list.length, ...made.slice(0, count))
  }
}
