import { CodedError } from '@org/runtime/errors'

export const REJECTIONS = {
  authentication: 'REJECTED_AUTHENTICATION',
  /** The node at the dialled address has proven another id. */
  wrongId: 'REJECTED_WRONG_ID',
  /** The address is being dialled, or is connected already. */
  connected: 'REJECTED_CONNECTED',
  duplicate: 'REJECTED_DUPLICATE',
  filtered: 'REJECTED_FILTERED',
  filterTimeout: 'REJECTED_FILTER_TIMEOUT',
  incompatible: 'REJECTED_INCOMPATIBLE',
  nodeInfo: 'REJECTED_NODE_INFO',
  self: 'REJECTED_SELF',
  full: 'REJECTED_FULL',
  banned: 'REJECTED_BANNED',
} as const

/** The reason why a peer is disconnected: a message of it was rejected. `code` is that of the verdict, `data.id` the peer's id. */
export class MisbehaviourError extends CodedError<string> {}

/** The reason why a connection does not become a peer. `data.id` names the node if its id is known. */
export class RejectedError extends CodedError<(typeof REJECTIONS)[keyof typeof REJECTIONS]> {}
