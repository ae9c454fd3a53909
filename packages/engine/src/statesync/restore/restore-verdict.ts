/**
 * The judgement about a message of a peer. A message is rejected if an honest peer never sends it. A message is ignored
 * if an honest peer may have sent it, for example too late.
 */
export type RestoreVerdict =
  | { readonly type: 'accept' }
  | { readonly type: 'ignore'; readonly reason: string }
  | { readonly type: 'reject'; readonly reason: string }

export const ACCEPTED: RestoreVerdict = { type: 'accept' }
export const ignored = (reason: string): RestoreVerdict => ({ type: 'ignore', reason })
export const rejected = (reason: string): RestoreVerdict => ({ type: 'reject', reason })
