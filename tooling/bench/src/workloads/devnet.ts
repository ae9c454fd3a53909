import type { DevnetSubject } from '../devnet/devnet.ts'
import { quantile } from '../table.ts'
import type { Workload } from './workload.ts'

const BLOCKS = 1000
const TXS = 300
const WARM_UP = 50

export const devnetBlocks: Workload<DevnetSubject> = {
  name: 'devnet-blocks',
  about: '1,000 empty blocks by one call: the first call after the start of the process, and a second call',
  run: ({ subject, directory, smoke }) =>
    subject.use(directory, async ({ mine, height }) => {
      const blocks = smoke ? BLOCKS / 20 : BLOCKS
      const times: number[] = []
      for (let turn = 0; turn < 2; turn++) {
        const [before, start] = [await height(), performance.now()]
        await mine(blocks)
        times.push(performance.now() - start)
        const made = (await height()) - before
        if (made !== blocks) throw new Error(`${subject.name} made ${made} blocks in place of ${blocks}`)
      }
      const name = `${blocks.toLocaleString('en')} blocks by one call`
      return [
        { metric: `${name}, first`, value: times[0] as number, unit: 'ms' },
        { metric: `${name}, again`, value: times[1] as number, unit: 'ms' },
      ]
    }),
}

export const devnetTransactions: Workload<DevnetSubject> = {
  name: 'devnet-transactions',
  about: 'transactions one after the other, each with a block of its own; measured until the result can be queried',
  run: ({ subject, directory, smoke }) =>
    subject.use(directory, async ({ commit }) => {
      const times: number[] = []
      for (let i = 0; i < WARM_UP + (smoke ? TXS / 10 : TXS); i++) {
        const start = performance.now()
        await commit(i)
        if (i >= WARM_UP) times.push(performance.now() - start)
      }
      const name = `a transaction in its block, of ${times.length}`
      return [
        { metric: `${name}, p50`, value: quantile(times, 0.5), unit: 'ms' },
        { metric: `${name}, p99`, value: quantile(times, 0.99), unit: 'ms' },
      ]
    }),
}
