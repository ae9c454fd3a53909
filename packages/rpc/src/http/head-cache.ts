import { type HeadLimits, parseHead, type RequestHead } from './head.ts'

/** The maximum number of cached heads, and the maximum length of a cached head. */
const MAX_HEADS = 256
const MAX_LENGTH = 1024

/**
 * Returns a function that does the same as `parseHead`, but with a cache, because clients often send the same head
 * again. Throws as `parseHead` does.
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
