/** In each part, so that none takes long to grow. */
const FIRST_SLOTS = 64

/**
 * A set of hashes of which 64 bits are kept: two that are not equal may be taken for the same. Eight to sixteen bytes a hash,
 * in 256 parts.
 */
export class HashSet {
  size = 0
  readonly #parts = Array.from({ length: 256 }, () => ({ words: new Uint32Array(FIRST_SLOTS * 2), count: 0 }))

  /** False if it was there. */
  add(hash: Uint8Array): boolean {
    const part = this.#parts[hash[0] as number] as { words: Uint32Array; count: number }
    const [high, low] = fingerprint(hash)
    const at = slotOf(part.words, high, low)
    if (part.words[at] !== 0 || part.words[at + 1] !== 0) return false
    part.words[at] = high
    part.words[at + 1] = low
    part.count++
    this.size++
    if (part.count * 4 > (part.words.length / 2) * 3) part.words = grown(part.words)
    return true
  }

  has(hash: Uint8Array): boolean {
    const { words } = this.#parts[hash[0] as number] as { words: Uint32Array }
    const [high, low] = fingerprint(hash)
    const at = slotOf(words, high, low)
    return words[at] !== 0 || words[at + 1] !== 0
  }
}

function word(hash: Uint8Array, at: number): number {
  const byte = (i: number): number => hash[at + i] ?? 0
  return ((byte(0) << 24) | (byte(1) << 16) | (byte(2) << 8) | byte(3)) >>> 0
}

/** Never two zeros, which stand for an empty slot. */
function fingerprint(hash: Uint8Array): readonly [number, number] {
  const high = word(hash, 1)
  const low = word(hash, 5)
  return high === 0 && low === 0 ? [0, 1] : [high, low]
}

/** Where the fingerprint is, or would be. */
function slotOf(words: Uint32Array, high: number, low: number): number {
  const mask = words.length / 2 - 1
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const [a, b] = [words[slot * 2], words[slot * 2 + 1]]
    if ((a === 0 && b === 0) || (a === high && b === low)) return slot * 2
  }
}

function grown(words: Uint32Array): Uint32Array {
  const next = new Uint32Array(words.length * 2)
  for (let i = 0; i < words.length; i += 2) {
    const [high, low] = [words[i] as number, words[i + 1] as number]
    if (high === 0 && low === 0) continue
    const at = slotOf(next, high, low)
    next[at] = high
    next[at + 1] = low
  }
  return next
}
