import { type HeadLimits, parseHead, type RequestHead } from './head.ts'

/** The maximum number of request heads in the cache, and the maximum length of a request head in the cache. */
const MAX_HEADS = 256
const MAX_LENGTH = 1024

/**
 * Returns a function with the same results and errors as `parseHead`. It keeps the results for short heads, because
 * clients often send the same head again.
 */
export function createHeadParser(limits: HeadLimits = {}): (text: string) => RequestHead {
  const known = new Map<string, RequestHead>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const head = parseHead(text, limits)
    if (text.length > MAX_LENGTH) return head
    if (known.size >= MAX_HEADS) known.clear()
    known.set(text, head)
    return head
  }
}
