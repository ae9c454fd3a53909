import { SignedMsgType } from '@org/types'

/** Returns the name of a vote's type in metrics. */
export const voteType = (type: number): string => (type === SignedMsgType.prevote ? 'prevote' : 'precommit')
