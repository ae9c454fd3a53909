import { SignStep } from '@org/engine/privval'
import { type ConsensusPosition, compareConsensusPositions, SignedMsgType } from '@org/types'
import { type SimNode, signStateOf } from '../node/index.ts'

export interface Signed {
  readonly height: number
  readonly round: number
  /** The type of the vote; absent for a proposal. */
  readonly type?: SignedMsgType
}

/** Returns the position (height, round, step) that the signer's file must have reached before the message is sent. */
function positionOf({ height, round, type }: Signed): ConsensusPosition {
  if (type === undefined) return { height, round, step: SignStep.propose }
  return { height, round, step: type === SignedMsgType.prevote ? SignStep.prevote : SignStep.precommit }
}

function positionIn(text: string): ConsensusPosition {
  const { height = '0', round = 0, step = 0 } = JSON.parse(text) as { height?: string; round?: number; step?: number }
  return { height: Number(height), round, step }
}

const textOf = ({ height, round, step }: ConsensusPosition): string => `${height}/${round}/${step}`

/**
 * Returns a description if the sign state in the file of a node's signer is older than the message that the node sends,
 * otherwise `undefined`. A node must not send such a message yet.
 */
export type SignStateFault = (node: SimNode, signed: Signed) => string | undefined

export function createSignStateRule(): SignStateFault {
  /**
   * A map from the name of a node to two values. The first value is the position (height, round, step) that was read
   * from the file of the node's signer. The second value is the version of the node's disk at which the file was read.
   * A node sends a message to all its peers at once, so the file need not be read again for each peer.
   */
  const read = new Map<string, { readonly version: number; readonly position: ConsensusPosition }>()

  function knownTo(node: SimNode): ConsensusPosition {
    // A signer in another process has its own disk. So the version of the node's disk does not show whether the
    // signer's file has changed, and the file is read each time.
    if (node.signer !== undefined) return positionIn(signStateOf(node))
    const version = node.disk.version()
    const before = read.get(node.name)
    if (before?.version === version) return before.position
    const position = positionIn(signStateOf(node))
    read.set(node.name, { version, position })
    return position
  }

  return (node, signed) => {
    const known = knownTo(node)
    const shown = positionOf(signed)
    if (compareConsensusPositions(shown, known) <= 0) return undefined
    return `sent a message that it signed at height/round/step ${textOf(shown)}, and its sign state is at ${textOf(known)}`
  }
}
