import { validatorByAddress } from '@org/types'
import { type CallContext, defineRoute } from '../call/route.ts'
import type { ValidatorIdentity } from '../ports/index.ts'
import { latestUncommittedHeight } from './argument-rules.ts'
import { emptyResult, netInfoResult, statusResult } from './results.ts'

const NONE = new Uint8Array(0)

export const health = defineRoute({
  name: 'health',
  summary: 'Returns an empty result if the node runs.',
  category: 'Info',
  params: {},
  result: emptyResult,
  handler: () => ({}),
})

function votingPower(context: CallContext, { address }: ValidatorIdentity): bigint {
  const { state } = context.ports
  try {
    const height = latestUncommittedHeight(context)
    if (state.loadVotingPower !== undefined) return state.loadVotingPower(height, address)
    return validatorByAddress(state.loadValidators(height), address)?.validator.votingPower ?? 0n
  } catch {
    // If the validators of this height are missing, for example because the node has no chain yet, the power in the
    // answer is 0.
    return 0n
  }
}

export const status = defineRoute({
  name: 'status',
  summary: 'Returns the identity of the node, the state of its chain, and its voting power.',
  category: 'Info',
  params: {},
  result: statusResult,
  needs: ['peers', 'consensus', 'validator'],
  immutableKey: (context) => {
    // The key of the answer in the cache. The answer changes only if one of the values in the key changes.
    const { blocks, consensus, peers } = context.ports
    const app = peers.nodeInfo().protocolVersion.app
    return `${blocks.base()}-${blocks.height()}/${consensus.waitSync()}/${app}`
  },
  isOfNow: true,
  handler: (context) => {
    const { blocks } = context.ports
    const validator = context.ports.validator
    const latestHeight = blocks.height()
    const earliest = blocks.base() === 0 ? undefined : blocks.loadBlockMeta(blocks.base())
    const latest = latestHeight === 0 ? undefined : blocks.loadBlockMeta(latestHeight)
    return {
      nodeInfo: context.ports.peers.nodeInfo(),
      syncInfo: {
        latestBlockHash: latest?.blockId.hash ?? NONE,
        latestAppHash: latest?.header.appHash ?? NONE,
        latestBlockHeight: latestHeight,
        latestBlockTime: latest?.header.time ?? 0n,
        earliestBlockHash: earliest?.blockId.hash ?? NONE,
        earliestAppHash: earliest?.header.appHash ?? NONE,
        earliestBlockHeight: earliest?.header.height ?? 0,
        earliestBlockTime: earliest?.header.time ?? 0n,
        catchingUp: context.ports.consensus.waitSync(),
      },
      validatorInfo: {
        address: validator.address,
        pubKey: validator.publicKey,
        votingPower: votingPower(context, validator),
      },
    }
  },
})

export const netInfo = defineRoute({
  name: 'net_info',
  summary: 'Peers, and the addresses on which the node accepts peers.',
  category: 'Info',
  params: {},
  result: netInfoResult,
  needs: ['peers'],
  handler: ({ ports }) => {
    const port = ports.peers
    const peers = port.peers()
    return { listening: port.isListening(), listeners: port.listeners(), nPeers: peers.length, peers }
  },
})
