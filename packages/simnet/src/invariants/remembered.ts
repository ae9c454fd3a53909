import { SignedMsgType } from '@org/types/vote'

export interface Signed {
  readonly height: number
  readonly round: number
  /** Absent: a proposal. */
  readonly type?: SignedMsgType
}

/** What the signer's file must say of the height, round and step; the step as the file numbers them. */
type Place = readonly [height: number, round: number, step: number]

function placeOf({ height, round, type }: Signed): Place {
  if (type === undefined) return [height, round, 1]
  return [height, round, type === SignedMsgType.prevote ? 2 : 3]
}

function placeIn(text: string): Place {
  const { height = '0', round = 0, step = 0 } = JSON.parse(text) as { height?: string; round?: number; step?: number }
  return [Number(height), round, step]
}

/** Why a signature must not be shown yet: the signer's file, given as text, does not know of it. `undefined` if it does. */
export function forgottenFault(signed: Signed, file: string): string | undefined {
  const known = placeIn(file)
  const shown = placeOf(signed)
  const at = shown.findIndex((part, i) => part !== known[i])
  if (at < 0 || (shown[at] as number) < (known[at] as number)) return undefined
  return `shows what it signed at ${shown.join('/')}, and the signer's file is at ${known.join('/')}`
}
