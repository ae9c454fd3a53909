import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { endWithParent } from '@org/golden'
import { call, heightOf } from '../rpc.ts'
import type { Subject } from '../subject.ts'
import { quantile } from '../table.ts'
import type { Workload } from './workload.ts'

const BLOCKS = 1000
const TXS = 300
const WARM_UP = 50

/** Starts `halley devnet --control` with an empty kvstore, and stops it after `measure`. */
async function withDevnet<T>(
  { binary }: Subject,
  directory: string,
  measure: (port: number) => Promise<T>,
): Promise<T> {
  const child = spawn(binary, ['devnet', '--control', '--rpc.laddr', 'tcp://127.0.0.1:0'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithParent(child)
  const ended = once(child, 'exit')
  try {
    let text = ''
    const port = Promise.withResolvers<number>()
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const found = /RPC +http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]
      if (found !== undefined && text.includes('dev_snapshot')) port.resolve(Number(found))
    })
    void ended.then(() => port.reject(new Error(`the devnet ended: ${text}`)))
    return await measure(await port.promise)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

export const devnetBlocks: Workload = {
  name: 'devnet-blocks',
  about: 'halley devnet --control: 1,000 empty blocks by advance_blocks, after the start of the process and once again',
  run: ({ subject, directory, smoke }) =>
    withDevnet(subject, directory, async (port) => {
      const blocks = smoke ? BLOCKS / 20 : BLOCKS
      const times: number[] = []
      for (let turn = 0; turn < 2; turn++) {
        const [before, start] = [await heightOf(port), performance.now()]
        await call(port, 'advance_blocks', { num_blocks: String(blocks) })
        times.push(performance.now() - start)
        const made = (await heightOf(port)) - before
        if (made !== blocks) throw new Error(`the devnet made ${made} blocks in place of ${blocks}`)
      }
      const name = `devnet, ${blocks.toLocaleString('en')} blocks by advance_blocks`
      return [
        { metric: `${name}, first`, value: times[0] as number, unit: 'ms' },
        { metric: `${name}, again`, value: times[1] as number, unit: 'ms' },
      ]
    }),
}

export const devnetTransactions: Workload = {
  name: 'devnet-transactions',
  about:
    'halley devnet --control: broadcast_tx_commit, one call after the other; each transaction gets a block at once',
  run: ({ subject, directory, smoke }) =>
    withDevnet(subject, directory, async (port) => {
      const times: number[] = []
      for (let i = 0; i < WARM_UP + (smoke ? TXS / 10 : TXS); i++) {
        const tx = Buffer.from(`key${i}=value`).toString('base64')
        const start = performance.now()
        const { height } = await call<{ readonly height: string }>(port, 'broadcast_tx_commit', { tx })
        if (i >= WARM_UP) times.push(performance.now() - start)
        if (height === '0') throw new Error('a transaction is not in a block')
      }
      const name = `devnet, broadcast_tx_commit of ${times.length} transactions`
      return [
        { metric: `${name}, p50`, value: quantile(times, 0.5), unit: 'ms' },
        { metric: `${name}, p99`, value: quantile(times, 0.99), unit: 'ms' },
      ]
    }),
}
