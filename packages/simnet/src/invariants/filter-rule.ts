import type { MethodName } from '@org/abci'
import { RequestQuery } from '@org/types/abci'
import type { SimNode } from '../node/index.ts'
import type { PeerEvent } from '../peers/index.ts'
import type { AppCall } from './extensions.ts'

const FILTER = /^\/p2p\/filter\/(?:id|addr)\/(.+)$/

/** The rule that a node with a peer filter accepts only peers that its application has accepted. */
export interface FilterRule {
  /** To be called when the application of a node has answered. */
  readonly answered: (node: string, method: MethodName, call: AppCall) => void
  /** To be called when a node has accepted a peer. */
  readonly check: (node: SimNode, event: PeerEvent) => void
  readonly restarted: (name: string) => void
}

export function createFilterRule(violate: (rule: string, detail: string) => void): FilterRule {
  /**
   * For each node: whether its application accepts peers, by the address and the id of the peer. The last answer
   * counts.
   */
  const wanted = new Map<string, Map<string, boolean>>()
  return {
    answered: (node, method, { request, answer }) => {
      if (method !== 'query') return
      const [, what] = FILTER.exec(RequestQuery.create(request as Partial<RequestQuery>).path) ?? []
      if (what === undefined) return
      const answers = wanted.get(node) ?? new Map<string, boolean>()
      wanted.set(node, answers)
      answers.set(what, ((answer as { readonly code?: number }).code ?? 0) === 0)
    },
    check: ({ name }, { peer }) => {
      const answers = wanted.get(name)
      for (const what of [peer.id, `${peer.socketAddress.ip}:${peer.socketAddress.port}`]) {
        if (answers?.get(what) === true) continue
        const why = answers?.has(what) === true ? 'refused it' : 'was not asked about it'
        violate('filter', `${name} accepted ${what} (${peer.nodeInfo.moniker}) as a peer, and its application ${why}`)
      }
    },
    restarted: (name) => void wanted.delete(name),
  }
}
