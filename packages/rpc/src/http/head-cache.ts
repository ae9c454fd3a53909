import { parseHead, type RequestHead } from './head.ts'

/** Heads that are remembered, and how long one may be. */
const MAX_HEADS = 256
const MAX_LENGTH = 1024

/**
 * A `parseHead` that remembers: a client sends the same head again and again, but for the length of the body. Throws as
 * `parseHead` does.
 */
export function createHeadParser(): (text: string) => RequestHead {
  const known = new Map<string, RequestHead>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const head = parseHead(text)
    if (text.length > MAX_LENGTH) return head
    if (known.size >= MAX_HEADS) known.clear()
    known.set(text, head)
    return head
  }
}
