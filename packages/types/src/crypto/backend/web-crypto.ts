import type { Ed25519Item } from './ed25519-item.ts'

const ALGORITHM = 'Ed25519'

/** The order of the prime subgroup of Ed25519, in little-endian bytes. */
const ORDER = Uint8Array.of(
  ...[0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14],
  ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10],
)

/**
 * The maximum number of items that are verified at the same time. Without this limit, a list of 10,000 items would
 * start 10,000 tasks of the browser at once.
 */
const AT_ONCE = 64

/** True if the browser has no Ed25519 in WebCrypto. The value is kept, so that the browser is asked only once. */
let isMissing = false

/**
 * Returns for each item whether WebCrypto accepts it. All results are `false` if the browser has no WebCrypto, as in a
 * page over plain HTTP, or if its WebCrypto has no Ed25519. An accepted signature satisfies the equation without
 * cofactor, and therefore also the equation of ZIP-215. This function also checks that s is below the order, because
 * older browsers do not check it.
 */
export async function acceptedByWebCrypto(items: readonly Ed25519Item[]): Promise<boolean[]> {
  let answers: boolean[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const part = items.slice(start, start + AT_ONCE)
    answers = answers.concat(await Promise.all(part.map(accepts)))
  }
  return answers
}

async function accepts({ publicKey, message, signature }: Ed25519Item): Promise<boolean> {
  const subtle = globalThis.crypto?.subtle
  if (isMissing || subtle === undefined || !isBelowOrder(signature.subarray(32))) return false
  try {
    const key = await subtle.importKey('raw', copyOf(publicKey), ALGORITHM, false, ['verify'])
    return await subtle.verify(ALGORITHM, key, copyOf(signature), copyOf(message))
  } catch (error) {
    if ((error as Partial<Error>).name === 'NotSupportedError') isMissing = true
    return false
  }
}

function isBelowOrder(s: Uint8Array): boolean {
  for (let i = ORDER.length - 1; i >= 0; i--) {
    const difference = (s[i] ?? 0) - (ORDER[i] as number)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** Copies the bytes, because WebCrypto refuses bytes in a `SharedArrayBuffer`. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
