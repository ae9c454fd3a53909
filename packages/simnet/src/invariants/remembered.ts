import { SignStep } from '@org/engine/privval'
import { comparePlaces, type Place } from '@org/types/consensus'
import { SignedMsgType } from '@org/types/vote'
import { type SimNode, signStateOf } from '../node/index.ts'

export interface Signed {
  readonly height: number
  readonly round: number
  /** Absent: a proposal. */
  readonly type?: SignedMsgType
}

/** What the signer's file must say. */
function placeOf({ height, round, type }: Signed): Place {
  if (type === undefined) return { height, round, step: SignStep.propose }
  return { height, round, step: type === SignedMsgType.prevote ? SignStep.prevote : SignStep.precommit }
}

function placeIn(text: string): Place {
  const { height = '0', round = 0, step = 0 } = JSON.parse(text) as { height?: string; round?: number; step?: number }
  return { height: Number(height), round, step }
}

const textOf = ({ height, round, step }: Place): string => `${height}/${round}/${step}`

/** Why a node must not show a signature yet: its signer's file does not know of it. `undefined` if it does. */
export type ForgottenFault = (node: SimNode, signed: Signed) => string | undefined

export function createRemembered(): ForgottenFault {
  /** What the file said when the disk was last another: a node tells all its peers the same at once. */
  const read = new Map<string, { readonly version: number; readonly place: Place }>()

  function knownTo(node: SimNode): Place {
    // A signer of its own process has its own disk.
    if (node.signer !== undefined) return placeIn(signStateOf(node))
    const version = node.disk.version()
    const before = read.get(node.name)
    if (before?.version === version) return before.place
    const place = placeIn(signStateOf(node))
    read.set(node.name, { version, place })
    return place
  }

  return (node, signed) => {
    const known = knownTo(node)
    const shown = placeOf(signed)
    if (comparePlaces(shown, known) <= 0) return undefined
    return `shows what it signed at ${textOf(shown)}, and the signer's file is at ${textOf(known)}`
  }
}
