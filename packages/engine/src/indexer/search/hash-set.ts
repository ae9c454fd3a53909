/**
 * The number of slots that each of the 256 parts has at first. The set is divided into parts, so that a part can grow
 * without a long pause.
 */
const FIRST_SLOTS = 64

/**
 * A set of hashes. Each hash is given as text: its bytes were read as UTF-8, and bytes that are not valid UTF-8 are
 * lost. In addition, the set keeps only a fingerprint of 64 bits per text. So two different hashes may count as
 * equal. The set takes 11 to 22 bytes per hash.
 */
export class HashSet {
  size = 0
  readonly #parts = Array.from({ length: 256 }, () => ({ words: new Uint32Array(FIRST_SLOTS * 2), count: 0 }))
  #high = 0
  #low = 0

  /** Adds a hash. Returns false if the set has it already. */
  addText(text: string): boolean {
    this.#fingerprint(text)
    const part = this.#parts[this.#high >>> 24] as { words: Uint32Array; count: number }
    const at = slotOf(part.words, this.#high, this.#low)
    if (part.words[at] !== 0 || part.words[at + 1] !== 0) return false
    part.words[at] = this.#high
    part.words[at + 1] = this.#low
    part.count++
    this.size++
    if (part.count * 4 > (part.words.length / 2) * 3) part.words = grown(part.words)
    return true
  }

  hasText(text: string): boolean {
    this.#fingerprint(text)
    const { words } = this.#parts[this.#high >>> 24] as { words: Uint32Array }
    const at = slotOf(words, this.#high, this.#low)
    return words[at] !== 0 || words[at + 1] !== 0
  }

  /**
   * Computes the fingerprint of a text: the two numbers `#high` and `#low`. At least one of them is not zero, because
   * two zeros mark an empty slot.
   */
  #fingerprint(text: string): void {
    let [a, b] = [0x811c9dc5, 0x9e3779b9]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul(b + code, 0x85ebca6b)
      b ^= b >>> 13
    }
    a = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d)
    this.#high = (a ^ (a >>> 12)) >>> 0
    this.#low = Math.imul(b ^ (b >>> 16), 0x297a2d39) >>> 0
    if (this.#high === 0 && this.#low === 0) this.#low = 1
  }
}

/** Returns the slot of the fingerprint, or the empty slot for it if the set does not have the fingerprint. */
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
