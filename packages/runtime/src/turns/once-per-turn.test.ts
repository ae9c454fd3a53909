import { expect, test } from 'vitest'
import { oncePerTurn } from './once-per-turn.ts'

test('default: many calls of one turn run the work once, and a later call runs it again', async () => {
  let runs = 0
  const soon = oncePerTurn(() => runs++)
  soon()
  soon()
  expect(runs).toBe(0)
  await Promise.resolve()
  expect(runs).toBe(1)
  soon()
  await Promise.resolve()
  expect(runs).toBe(2)
})

test('behavior: a call that the work itself makes runs the work once more', async () => {
  let runs = 0
  const soon = oncePerTurn(() => {
    if (++runs === 1) soon()
  })
  soon()
  await Promise.resolve()
  await Promise.resolve()
  expect(runs).toBe(2)
})
