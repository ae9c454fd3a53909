import { expect, test } from 'vitest'
import { type Decoder, faultOf } from '../src/decode/decoder.ts'
import { instrument } from '../src/decode/instrument.ts'
import { type Coverage, createLoop, minimise } from '../src/decode/loop.ts'

/**
 * A decoder with a planted fault, which needs four correct bytes. Only the coverage shows the fuzzer that a single
 * byte is correct.
 */
const PLANTED = `
const read = (bytes) => {
  if (bytes[0] !== 0x7b) return
  if (bytes[1] === 0x22) {
    const isDeep = bytes[2] === 0x41 ? bytes[3] === 0x42 && bytes.length > 5 : false
    switch (bytes[4]) {
      case 0x43:
        if (isDeep) undefined.field
    }
  }
}
export { read }
`

async function load(): Promise<{ readonly read: (bytes: Uint8Array) => void; readonly coverage: Coverage }> {
  return (await import(`data:text/javascript,${encodeURIComponent(instrument(PLANTED))}`)) as never
}

test('behavior: a planted fault is found with coverage, and is not found without coverage', async () => {
  const { read, coverage } = await load()
  const decoder: Decoder = { name: 'planted', read, seeds: () => [] }
  const guided = createLoop({ decoder, faultOf, coverage, seeds: [], chance: 1 })
  guided.run(150_000)
  expect(guided.findings().map(({ what }) => what)).toEqual([expect.stringContaining('TypeError')])
  const blind = { ...coverage, isFresh: () => false }
  const unguided = createLoop({ decoder, faultOf, coverage: blind, seeds: [], chance: 1 })
  unguided.run(150_000)
  expect(unguided.findings()).toEqual([])
  expect(minimise({ decoder, faultOf, coverage }, guided.corpus()).length).toBeLessThanOrEqual(guided.corpus().length)
})

test('behavior: an instrumented program behaves as before', async () => {
  const code = `
    export const f = (a, b) => a ? b || 1 : (() => { for (const x of [1, 2]) if (x > 1) return x; else continue })()
    export function g(n) { let s = 0; do s += n; while (--n > 0) try { throw s } catch { s++ } return s }
  `
  const plain = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const made = await import(`data:text/javascript,${encodeURIComponent(instrument(code))}`)
  for (const [a, b] of [
    [0, 0],
    [1, 0],
    [1, 5],
  ])
    expect(made.f(a, b)).toBe(plain.f(a, b))
  for (const n of [1, 4]) expect(made.g(n)).toBe(plain.g(n))
})
