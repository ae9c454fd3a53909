const EMPTY = Buffer.alloc(0)

/**
 * Received bytes that are not used yet. Each byte is copied a few times at most, however small the received pieces
 * are.
 */
export class Input {
  bytes: Buffer = EMPTY
  /**
   * The buffer into which pieces of input are joined. It may be larger than its data, so that later pieces can be added
   * without a new buffer.
   */
  #room: Buffer = EMPTY

  append(data: Buffer): void {
    const { length } = this.bytes
    if (length === 0) {
      this.bytes = data
      this.#room = EMPTY
      return
    }
    const needed = length + data.length
    let at = this.bytes.byteOffset
    if (this.bytes.buffer !== this.#room.buffer || at + needed > this.#room.length) {
      this.#room = Buffer.allocUnsafeSlow(2 * needed)
      this.#room.set(this.bytes)
      at = 0
    }
    this.#room.set(data, at + length)
    this.bytes = this.#room.subarray(at, at + needed)
  }

  /** Removes and returns the first `count` bytes. */
  shift(count: number): Buffer {
    const taken = this.bytes.subarray(0, count)
    this.skip(count)
    return taken
  }

  /** Returns the number of bytes of memory that the input takes. */
  get heldBytes(): number {
    return this.bytes.length === 0 ? 0 : this.bytes.buffer.byteLength
  }

  skip(count: number): void {
    if (count === this.bytes.length) this.clear()
    else this.bytes = this.bytes.subarray(count)
  }

  /** Removes all bytes. Releases the memory of the input, because a connection may live long without further input. */
  clear(): void {
    this.bytes = EMPTY
    this.#room = EMPTY
  }
}
