import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nextTurn } from '@org/runtime'
import { expect, it } from 'vitest'
import { createMemoryStore } from '../store/index.ts'
import { createRecommitted } from './recommitted-txs.ts'

it('behavior: keeps only the last of the writes between two searches', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const recommitted = createRecommitted({ db: createMemoryStore() })
  const written: WeakRef<object>[] = []
  for (let height = 1; height <= 20; height++) {
    await recommitted.whileWriting(height, [], async () => {
      const outcome = { height }
      written.push(new WeakRef(outcome))
      return outcome as unknown as undefined
    })
  }
  await nextTurn()
  collect()
  const alive = written.filter((outcome) => outcome.deref() !== undefined)
  expect(alive.length).toBeLessThanOrEqual(1)
})
