import { createNetwork } from '@org/simnet'
import { expect, test } from 'vitest'

test('four validators survive a loss of power and a partition', async () => {
  const network = createNetwork({
    seed: 7, // the same seed gives the same run, to the byte
    validators: 4,
    faults: [
      { kind: 'crash', at: 2000, node: 1, crash: 'power', downMs: 500 }, // times are in milliseconds of virtual time
      { kind: 'partition', at: 4000, group: [0, 1], oneWay: false, forMs: 3000 },
    ],
  })
  network.start()
  await network.pass(10_000)
  expect(await network.conclude()).toEqual([]) // no rule of consensus was broken, and the chain continues
})
