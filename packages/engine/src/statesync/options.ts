/** The numbers of the channels for snapshots and for their chunks, as in the reference. */
export const STATESYNC_CHANNELS = { snapshot: 0x60, chunk: 0x61 } as const

/**
 * The maximum number of bytes of a message from a peer from which this node expects only requests. On the channel of
 * snapshots, the node expects only requests from every peer while it does not run state sync. On the channel of chunks,
 * it expects only requests from a peer from which it has not requested a chunk.
 */
export const MAX_REQUEST_MESSAGE = 1024
/** The maximum number of bytes of a message with a snapshot, and of a message with a chunk, as in the reference. */
export const MAX_SNAPSHOT_MESSAGE = 4_000_000
export const MAX_CHUNK_MESSAGE = 16_000_000
/** The maximum number of snapshots that the node sends to a peer that requests snapshots, as in the reference. */
export const RECENT_SNAPSHOTS = 10
/**
 * The maximum number of messages with snapshots, and of messages with chunks, that wait to be sent to one peer. In the
 * reference 10 chunks may wait, which can take 160 MB.
 */
export const SEND_QUEUE_CAPACITY = { snapshot: 10, chunk: 2 } as const
/**
 * The maximum number of requests of one peer that wait for the application; further requests are dropped. The reference
 * reads the next request of a peer only after it has answered the peer's previous request.
 */
export const MAX_QUEUED_REQUESTS = 64
/**
 * The pause of a peer's requests in milliseconds, after the list of snapshots, and after a chunk that is missing or
 * could not be loaded. A request has few bytes, and the application may take long for each answer. While the
 * application answers, it may be unable to execute blocks. The rate of the connection limits how often a peer can
 * request chunks, but such short answers hardly count against this rate.
 */
export const SHORT_ANSWER_PAUSE_MS = 100
