import { createFlowMonitor, type FlowStatus } from '@org/p2p'

/** The milliseconds after which bytes count less as recent ones, and the factor: both are those of a real connection. */
const FADE_MS = 2000
const FADE = 0.8
/** After this number of fades, less than half a byte is left of 10^18 bytes. */
const MOST_FADES = 200

/** Counts the bytes of the messages in one direction of a connection. */
export interface MessageBytes {
  readonly add: (channel: number, bytes: number) => void
  /**
   * Returns the number of bytes and their rates. The number contains every message so far: the time of a devnet can
   * stand still, and a sample of a real connection would then never be complete.
   */
  readonly flow: () => FlowStatus
  /** Returns the bytes of a channel, of which older ones count less. */
  readonly recent: (channel: number) => number
}

interface Recent {
  bytes: number
  fades: number
}

/**
 * Creates a counter that reads the given clock, in milliseconds. It uses no timer, because each timer is an event of
 * the simulation.
 */
export function createMessageBytes(monotonic: () => number): MessageBytes {
  const monitor = createFlowMonitor(monotonic)
  const channels = new Map<number, Recent>()
  const start = monotonic()
  let total = 0

  function faded(channel: number): Recent {
    const fades = Math.floor((monotonic() - start) / FADE_MS)
    let recent = channels.get(channel)
    if (recent === undefined) {
      recent = { bytes: 0, fades }
      channels.set(channel, recent)
    }
    if (fades - recent.fades > MOST_FADES) recent.bytes = 0
    else for (let i = recent.fades; i < fades; i++) recent.bytes *= FADE
    recent.fades = fades
    return recent
  }

  return {
    add: (channel, bytes) => {
      total += bytes
      monitor.update(bytes)
      faded(channel).bytes += bytes
    },
    flow: () => ({ ...monitor.status(), bytes: total }),
    recent: (channel) => Math.round(faded(channel).bytes),
  }
}
