import { headOf } from './frame-writer.ts'

interface Pieces {
  /**
   * The header of the WebSocket frame, followed by the first bytes of the message. The first bytes are different for
   * each subscription.
   */
  readonly head: Uint8Array
  /** All bytes of the message that are not in the member `head`. All subscribers of the event share these bytes. */
  readonly body: Uint8Array
}

/** The WebSocket frame of a message with an event. */
export interface EventFrame extends Pieces {
  /** A bundle with only this frame. */
  readonly bundle: FrameBundle
}

export function eventFrame(before: Uint8Array, body: Uint8Array): EventFrame {
  const pieces = { head: headOf(before.length + body.length, before), body }
  return { ...pieces, bundle: new FrameBundle(pieces) }
}

/**
 * The minimum average size of the pieces of a bundle, in bytes, at which the pieces are written without a copy. Smaller
 * pieces are first joined into one buffer.
 */
const LUMP_BYTES = 4096

/**
 * The frames that a connection has to write. The frames of a bundle never change. The method `and` returns a longer
 * bundle. Connections with the same frames share one bundle object, so the bytes are joined only once. If several
 * connections add the same frame to one bundle, and no connection adds a different frame to this bundle in between, all
 * of them get the same longer bundle.
 */
export class FrameBundle {
  readonly count: number
  readonly size: number
  readonly #before: FrameBundle | undefined
  readonly #frame: Pieces
  #next: FrameBundle | undefined
  #taken = false
  #whole: readonly Uint8Array[] | undefined

  constructor(frame: Pieces, before?: FrameBundle) {
    this.#frame = frame
    this.#before = before
    this.count = (before?.count ?? 0) + 1
    this.size = (before?.size ?? 0) + frame.head.length + frame.body.length
  }

  /** Returns a longer bundle: the frames of this bundle, followed by `frame`. This bundle keeps its frames. */
  and(frame: EventFrame): FrameBundle {
    const known = this.#next
    if (known !== undefined && known.#frame === frame) return known
    const next = new FrameBundle(frame, this)
    this.#next = next
    return next
  }

  /**
   * Returns the buffers to write. The first connection that calls this function gets large frames as separate buffers,
   * without a copy. For the second connection, the frames are joined into one buffer, which all later connections use
   * too.
   */
  takeBuffers(): readonly Uint8Array[] {
    if (this.#whole !== undefined) return this.#whole
    const pieces = this.#pieces()
    if (!this.#taken && this.size / pieces.length >= LUMP_BYTES) {
      this.#taken = true
      return pieces
    }
    const whole = Buffer.allocUnsafeSlow(this.size)
    let at = 0
    for (const piece of pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    this.#whole = [whole]
    return this.#whole
  }

  #pieces(): Uint8Array[] {
    const pieces = [this.#frame.body, this.#frame.head]
    for (let at = this.#before; at !== undefined; at = at.#before) pieces.push(at.#frame.body, at.#frame.head)
    return pieces.reverse()
  }
}
