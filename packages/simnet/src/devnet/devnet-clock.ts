import type { Clock } from '@org/runtime'
import { formatTime } from '@org/types/time'
import type { SimNode } from '../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'

const MS = 1_000_000n

/** The clock of a devnet: real time and an offset, which all validators share. */
export interface DevnetClock {
  /** Sets the clocks of the validators to the present time. This never sets a clock back. */
  readonly sync: () => void
  readonly now: () => bigint
  readonly advance: (ms: number) => bigint
  /** Throws `DEVNET_TIME_NOT_AHEAD` for a time that is not after `last`. */
  readonly set: (time: bigint, last: bigint) => bigint
  /** The difference from real time, in nanoseconds. */
  offset: bigint
}

export function createDevnetClock(real: Clock, nodes: readonly SimNode[]): DevnetClock {
  const [first] = nodes as [SimNode]
  const reading = (): bigint => first.life()?.clock.now() ?? real.now()

  /**
   * Moves the clocks by the time `by`, rounded up to whole milliseconds, so that no clock is behind the wanted time.
   * The result is not more exact, because the type `number` cannot hold the exact fraction of a large number of
   * milliseconds.
   */
  function move(by: bigint): void {
    const ms = by / MS + (by % MS > 0n ? 1n : 0n)
    for (const { clockFault } of nodes) clockFault.skewMs += Number(ms)
  }

  const clock: DevnetClock = {
    offset: 0n,
    sync: () => {
      const behind = real.now() + clock.offset - reading()
      if (behind > 0n) move(behind)
    },
    now: reading,
    advance: (ms) => {
      clock.sync()
      // When blocks are made without a pause, the clock of the chain advances faster than real time. So it may be ahead
      // of real time plus the offset.
      clock.offset = reading() - real.now() + BigInt(Math.ceil(ms)) * MS
      clock.sync()
      return reading()
    },
    set: (time, last) => {
      if (time <= last) {
        const message = `the time must be after the time of the last block, ${formatTime(last)}, but got ${formatTime(time)}`
        throw new DevnetError(DEVNET_ERRORS.timeNotAhead, message)
      }
      clock.offset = time - real.now()
      move(time - reading())
      return reading()
    },
  }
  return clock
}
