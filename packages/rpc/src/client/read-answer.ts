/** The first size of the buffer for an answer, in bytes. It is enough for the commit of most chains. */
const FIRST_BUFFER = 64 * 1024

/** The bytes of an answer that is read chunk by chunk. */
export interface AnswerBuffer {
  /**
   * Adds a chunk. Returns false if the answer now has more bytes than the limit. The chunk is then not added, and the
   * caller must stop reading.
   */
  readonly add: (chunk: Uint8Array) => boolean
  /** Parses the added bytes as JSON. Throws a `SyntaxError` if they are not JSON. */
  readonly json: () => unknown
}

/**
 * Creates an empty buffer for an answer of at most `maxBytes` bytes. All chunks are copied into one block of memory
 * that grows, because a node may send each byte as a separate chunk.
 */
export function createAnswerBuffer(maxBytes: number): AnswerBuffer {
  let buffer = new Uint8Array(0)
  let length = 0
  return {
    add: (chunk) => {
      const end = length + chunk.length
      if (end > maxBytes) return false
      if (end > buffer.length) {
        const larger = new Uint8Array(Math.max(end, 2 * buffer.length, FIRST_BUFFER))
        larger.set(buffer.subarray(0, length))
        buffer = larger
      }
      buffer.set(chunk, length)
      length = end
      return true
    },
    json: () => JSON.parse(new TextDecoder().decode(buffer.subarray(0, length))),
  }
}

/**
 * Passes each chunk of a body to `add`. If `add` returns false, the rest of the body is not read, and the result is
 * false.
 */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  add: (chunk: Uint8Array) => boolean,
): Promise<boolean> {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return true
    if (!add(value)) break
  }
  reader.cancel().catch(() => undefined)
  return false
}
