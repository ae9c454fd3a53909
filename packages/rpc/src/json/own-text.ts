/** The minimum length from which V8 keeps a part of a text as a reference to the whole text. */
const SHARED_FROM = 13

/**
 * Returns a copy of a text that a client sent. A part of a long text is only a reference to the whole text in memory.
 * So a short part, such as the query of a subscription, would keep the whole request in memory, and no limit would
 * count the request. A text that may stay in memory longer than its request must be such a copy.
 */
export const ownText = (text: string): string => (text.length < SHARED_FROM ? text : Buffer.from(text).toString())
