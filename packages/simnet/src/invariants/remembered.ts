import { SignStep } from '@org/engine/privval'
import { comparePlaces, type Place } from '@org/types/consensus'
import { SignedMsgType } from '@org/types/vote'

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

/** Why a signature must not be shown yet: the signer's file, given as text, does not know of it. `undefined` if it does. */
export function forgottenFault(signed: Signed, file: string): string | undefined {
  const known = placeIn(file)
  const shown = placeOf(signed)
  if (comparePlaces(shown, known) <= 0) return undefined
  return `shows what it signed at ${textOf(shown)}, and the signer's file is at ${textOf(known)}`
}
