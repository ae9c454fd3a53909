/** The judgement about a message. A rejected message is the peer's fault; an ignored one may come from an honest peer. */
export type Receipt =
  | { readonly type: 'accept' }
  | { readonly type: 'ignore'; readonly reason: string }
  | { readonly type: 'reject'; readonly reason: string }

export const ACCEPTED: Receipt = { type: 'accept' }
export const ignored = (reason: string): Receipt => ({ type: 'ignore', reason })
export const rejected = (reason: string): Receipt => ({ type: 'reject', reason })
