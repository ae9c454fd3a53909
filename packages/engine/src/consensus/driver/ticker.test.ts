import { createVirtualClock } from '@org/runtime'
import { describe, expect, it } from 'vitest'
import { RoundStep, type Timeout } from '../machine/index.ts'
import { createTicker } from './ticker.ts'

const timeout = (height: number, round: number, step: Timeout['step'], ms = 10): Timeout => ({
  duration: BigInt(ms) * 1_000_000n,
  height,
  round,
  step,
})

function fixture() {
  const clock = createVirtualClock()
  const fired: Timeout[] = []
  const stopping = new AbortController()
  const ticker = createTicker(clock, (given) => fired.push(given), stopping.signal)
  return { clock, fired, ticker, stopping }
}

describe('createTicker', () => {
  it('default: a timeout fires once after its time', () => {
    const { clock, fired, ticker } = fixture()
    ticker.start()
    const first = timeout(1, 0, RoundStep.propose)
    ticker.schedule(first)
    clock.advance(9)
    expect(fired).toEqual([])
    clock.advance(100)
    expect(fired).toEqual([first])
  })

  it('behavior: a later timeout replaces the scheduled one, an earlier or equal one does not', () => {
    const { clock, fired, ticker } = fixture()
    ticker.start()
    ticker.schedule(timeout(2, 1, RoundStep.propose))
    for (const stale of [
      timeout(1, 9, RoundStep.precommitWait, 1),
      timeout(2, 0, RoundStep.precommitWait, 1),
      timeout(2, 1, RoundStep.newRound, 1),
      timeout(2, 1, RoundStep.propose, 1),
    ]) {
      ticker.schedule(stale)
    }
    const next = timeout(2, 1, RoundStep.prevoteWait, 5)
    ticker.schedule(next)
    clock.advance(100)
    expect(fired).toEqual([next])
  })

  it('behavior: a timeout that is already due fires without a timer', () => {
    const { clock, fired, ticker } = fixture()
    ticker.start()
    ticker.schedule(timeout(1, 0, RoundStep.newHeight, 0))
    ticker.schedule(timeout(2, 0, RoundStep.newHeight, -5))
    expect(fired.map(({ height }) => height)).toEqual([1, 2])
    expect(clock.pending()).toBe(0)
  })

  it('behavior: keeps only the last timeout before the start, and none after the stop', () => {
    const { clock, fired, ticker, stopping } = fixture()
    ticker.schedule(timeout(1, 0, RoundStep.newHeight, 0))
    ticker.schedule(timeout(1, 0, RoundStep.propose))
    clock.advance(100)
    expect(fired).toEqual([])
    ticker.start()
    clock.advance(100)
    expect(fired.length).toBe(1)
    ticker.schedule(timeout(1, 0, RoundStep.prevote))
    expect(clock.pending()).toBe(1)
    stopping.abort()
    expect(clock.pending()).toBe(0)
    ticker.schedule(timeout(1, 0, RoundStep.prevoteWait))
    expect(clock.pending()).toBe(0)
  })
})
