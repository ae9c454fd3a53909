const EMPTY = Buffer.alloc(0)

/** What came on a connection and is not used yet. However small the pieces are, each byte is copied a few times at most. */
export class Input {
  bytes: Buffer = EMPTY
  /** Where input that came in several pieces is put together, with room for more. */
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

  /** The first `count` bytes, which it gives up. */
  take(count: number): Buffer {
    const taken = this.bytes.subarray(0, count)
    this.skip(count)
    return taken
  }

  /** Bytes of memory that the input takes. */
  get held(): number {
    return this.bytes.length === 0 ? 0 : this.bytes.buffer.byteLength
  }

  skip(count: number): void {
    this.bytes = count === this.bytes.length ? EMPTY : this.bytes.subarray(count)
  }

  clear(): void {
    this.bytes = EMPTY
  }
}
