import { startTargetNode, type TargetNode } from './node.ts'
import type { Candidate } from './search.ts'

const HALLEY = new URL('../../../../apps/node/bin/halley', import.meta.url).pathname

/**
 * The nodes whose answers are compared: the reference, a Halley node with default settings, and a strict Halley node.
 * Each runs on a copy of the same home.
 */
export interface TargetNodes extends AsyncDisposable {
  readonly reference: TargetNode
  readonly candidates: readonly Candidate[]
}

/** Starts a Halley node, either with default settings or strict. */
export function startOurNode(name: string, strict: boolean): Promise<TargetNode> {
  const args = ['--proxy_app=kvstore-v0.38', ...(strict ? ['--rpc.strict=true'] : [])]
  return startTargetNode({ name, binary: HALLEY, args })
}

export async function startTargetNodes(cometbft: string): Promise<TargetNodes> {
  const started: TargetNode[] = []
  const keep = async (starting: Promise<TargetNode>): Promise<TargetNode> => {
    const node = await starting
    started.push(node)
    return node
  }
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((node) => node.stop()))
  }
  try {
    const args = ['--proxy_app=kvstore']
    const reference = await keep(startTargetNode({ name: 'cometbft', binary: cometbft, args }))
    const usual = await keep(startOurNode('halley', false))
    const strict = await keep(startOurNode('halley, strict', true))
    return {
      reference,
      candidates: [
        { node: usual, strict: false },
        { node: strict, strict: true },
      ],
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
