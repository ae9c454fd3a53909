import { defineRoute } from '../call/route.ts'
import { consensusStateResult, dumpConsensusStateResult } from './results.ts'

export const consensusState = defineRoute({
  name: 'consensus_state',
  summary: 'The state of consensus, in a short form.',
  category: 'Info',
  params: {},
  result: consensusStateResult,
  needs: ['consensus'],
  handler: ({ ports }) => ({ roundState: ports.consensus.roundStateSimple() }),
})

export const dumpConsensusState = defineRoute({
  name: 'dump_consensus_state',
  summary: 'The state of consensus of this node and of each of its peers.',
  category: 'Info',
  params: {},
  result: dumpConsensusStateResult,
  needs: ['consensus'],
  handler: ({ ports }) => {
    const consensus = ports.consensus
    return { roundState: consensus.roundState(), peers: consensus.peerStates() }
  },
})
