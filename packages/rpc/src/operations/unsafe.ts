import { bool, strings } from '../call/params.ts'
import { defineRoute } from '../call/route.ts'
import { refused } from '../errors.ts'
import { dialResult, emptyResult } from './results.ts'

export const dialSeeds = defineRoute({
  name: 'dial_seeds',
  summary: 'Dials seeds. Each seed has the form id@host:port.',
  category: 'Unsafe',
  params: { seeds: strings },
  required: ['seeds'],
  result: dialResult,
  unsafe: true,
  needs: ['peers'],
  handler: async ({ ports }, { seeds }) => {
    if (seeds.length === 0) throw refused('no seeds provided')
    await ports.peers.dialPeers(seeds)
    return { log: 'Dialing seeds in progress. See /net_info for details' }
  },
})

function idsOf(peers: readonly string[]): readonly string[] {
  return peers.map((peer) => {
    const [id, ...rest] = peer.split('@')
    if (id === undefined || rest.length !== 1) throw refused(`address (${peer}) does not contain ID`)
    return id
  })
}

export const dialPeers = defineRoute({
  name: 'dial_peers',
  summary: 'Dials peers with the given settings. Each peer has the form id@host:port.',
  category: 'Unsafe',
  params: { peers: strings, persistent: bool, unconditional: bool, private: bool },
  required: ['peers'],
  result: dialResult,
  unsafe: true,
  needs: ['peers'],
  handler: async ({ ports }, { peers, persistent, unconditional, private: isPrivate }) => {
    if (peers.length === 0) throw refused('no peers provided')
    const ids = idsOf(peers)
    const port = ports.peers
    if (persistent) await port.addPersistentPeers(peers)
    if (isPrivate) await port.addPrivatePeerIds(ids)
    if (unconditional) await port.addUnconditionalPeerIds(ids)
    await port.dialPeers(peers)
    return { log: 'Dialing peers in progress. See /net_info for details' }
  },
})

export const unsafeFlushMempool = defineRoute({
  name: 'unsafe_flush_mempool',
  summary: 'Removes every transaction from the mempool.',
  category: 'Unsafe',
  params: {},
  result: emptyResult,
  unsafe: true,
  needs: ['mempool'],
  handler: ({ ports }) => {
    ports.mempool.flush()
    return {}
  },
})
