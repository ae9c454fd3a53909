/** The channels of snapshots and of their chunks, as the reference numbers them. */
export const STATESYNC_CHANNELS = { snapshot: 0x60, chunk: 0x61 } as const

/**
 * The longest message that is accepted from a peer without a pending request, on both channels. Such a message can only
 * be a request.
 */
export const MAX_REQUEST_MESSAGE = 1024
/**
 * The longest messages with a snapshot and with a chunk, as in the reference. They are accepted only while this node
 * runs state sync.
 */
export const MAX_SNAPSHOT_MESSAGE = 4_000_000
export const MAX_CHUNK_MESSAGE = 16_000_000
/** The number of snapshots that are offered, as in the reference. */
export const RECENT_SNAPSHOTS = 10
/**
 * The maximum number of messages to one peer that wait to be sent: snapshots, and chunks. The reference allows 10
 * chunks, which would be 160 MB.
 */
export const SEND_QUEUE_CAPACITY = { snapshot: 10, chunk: 2 } as const
/**
 * The maximum number of requests of one peer that wait for the application; further ones are dropped. The reference
 * reads one after the other.
 */
export const MAX_QUEUED_REQUESTS = 64
