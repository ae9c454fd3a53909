import { headOf } from './frame-writer.ts'

interface Pieces {
  /** The head of the frame, and the beginning of its text. */
  readonly head: Uint8Array
  /** What all share to whom the event is told, whatever the beginning. */
  readonly body: Uint8Array
}

/** A message that is an event, as a WebSocket's frame. */
export interface EventFrame extends Pieces {
  /** With this frame alone. */
  readonly bundle: FrameBundle
}

export function eventFrame(before: Uint8Array, body: Uint8Array): EventFrame {
  const pieces = { head: headOf(before.length + body.length, before), body }
  return { ...pieces, bundle: new FrameBundle(pieces) }
}

/** Pieces of this size on average are sent as they are; smaller ones are put together first. */
const LUMP_BYTES = 4096

/**
 * The frames that one connection was given and that were not written yet. Connections with the same frames have the same
 * bundle: what is written to them is put together once, and one more frame costs each of them a comparison.
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

  /** These frames and one more. */
  and(frame: EventFrame): FrameBundle {
    const known = this.#next
    if (known !== undefined && known.#frame === frame) return known
    const next = new FrameBundle(frame, this)
    this.#next = next
    return next
  }

  /** What to write. Only a second connection with the same frames makes it worth a copy of large ones. */
  take(): readonly Uint8Array[] {
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
