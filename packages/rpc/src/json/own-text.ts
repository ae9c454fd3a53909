/** V8 stores a part of a text as a reference to the whole text if the part has at least this many characters. */
const SHARED_FROM = 13

/**
 * Returns a copy of a text that a client sent. V8 stores nearly every part of a text as a reference to the whole text.
 * So a short part, such as the query of a subscription, would keep the whole request in memory, and no limit would
 * count this memory. A text that may stay in memory longer than its request must be copied by this function.
 */
export const ownText = (text: string): string => (text.length < SHARED_FROM ? text : Buffer.from(text).toString())
