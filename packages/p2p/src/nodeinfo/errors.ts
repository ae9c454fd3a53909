import { CodedError } from '@org/runtime/errors'

/** The reasons why a connection to another node is refused. */
export const REJECTIONS = {
  authentication: 'REJECTED_AUTHENTICATION',
  /** The node at the dialled address has proven another id than the id in the address. */
  wrongId: 'REJECTED_WRONG_ID',
  /** The address was not dialled, because this node is already dialling it, or is already connected to its node. */
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

/**
 * An error that disconnects a peer whose message was rejected. `code` is the code of the verdict, and `data.id` is the
 * peer's id.
 */
export class MisbehaviourError extends CodedError<string> {}

/**
 * The error of a connection that was refused, so that its node does not become a peer. `data.id` is the id of the node
 * if the id is known.
 */
export class RejectedError extends CodedError<(typeof REJECTIONS)[keyof typeof REJECTIONS]> {}
