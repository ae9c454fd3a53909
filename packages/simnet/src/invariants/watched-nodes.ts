import type { RoundState } from '@org/engine/consensus'
import { addressOf, publicKeyOf } from '@org/types/crypto'
import type { SimNode } from '../node/index.ts'

/**
 * Finds the nodes by name, and keeps a list of the nodes that are not trusted. A node is not trusted if the simulation
 * makes the node break rules.
 */
export interface WatchedNodes {
  readonly named: (name: string) => SimNode | undefined
  /** The address of the key of a node. */
  readonly addressOf: (name: string) => Uint8Array | undefined
  /** The round state of a node that runs. */
  readonly viewOf: (name: string) => Readonly<RoundState> | undefined
  readonly distrust: (name: string) => void
  readonly isHonest: (name: string) => boolean
  readonly distrusted: () => ReadonlySet<string>
  /** Returns all nodes that are not in `distrusted`. The rules must hold for these nodes. */
  readonly honest: () => readonly SimNode[]
}

/** `nodes` returns all nodes of the network. */
export function createWatchedNodes(nodes: () => readonly SimNode[]): WatchedNodes {
  const named = new Map<string, SimNode>()
  const addresses = new Map<string, Uint8Array>()
  const distrusted = new Set<string>()

  function nodeNamed(name: string): SimNode | undefined {
    const known = named.get(name) ?? nodes().find((node) => node.name === name)
    if (known !== undefined) named.set(name, known)
    return known
  }

  function addressOfNode(name: string): Uint8Array | undefined {
    const known = addresses.get(name)
    if (known !== undefined) return known
    const key = nodeNamed(name)?.options.key
    if (key === undefined) return undefined
    const address = addressOf(publicKeyOf(key))
    addresses.set(name, address)
    return address
  }

  return {
    named: nodeNamed,
    addressOf: addressOfNode,
    viewOf: (name) => nodeNamed(name)?.engine()?.consensus.roundState(),
    distrust: (name) => void distrusted.add(name),
    isHonest: (name) => !distrusted.has(name),
    distrusted: () => distrusted,
    honest: () => nodes().filter(({ name }) => !distrusted.has(name)),
  }
}
