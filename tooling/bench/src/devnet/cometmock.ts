import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@org/golden'
import { call, heightOf } from '../rpc.ts'
import { makeHome, type Subject } from '../subject.ts'
import type { Devnet, DevnetSubject } from './devnet.ts'
import { withProcess } from './with-process.ts'

const COMMIT_TIMEOUT_MS = 10_000

/**
 * Calls `/tx` until CometMock finds the transaction, because `broadcast_tx_sync` returns before the transaction is in a
 * block.
 */
async function waitForTransaction(port: number, tx: Buffer): Promise<void> {
  const hash = createHash('sha256').update(tx).digest('base64')
  const stop = performance.now() + COMMIT_TIMEOUT_MS
  for (;;) {
    try {
      await call(port, 'tx', { hash, prove: false })
      return
    } catch (error) {
      if (performance.now() > stop) throw error
    }
  }
}

const devnetAt = (port: number): Devnet => ({
  mine: async (blocks) => void (await call(port, 'advance_blocks', { num_blocks: String(blocks) })),
  height: () => heightOf(port),
  commit: async (id) => {
    const tx = Buffer.from(`key${id}=value`)
    const { code } = await call<{ readonly code: number }>(port, 'broadcast_tx_sync', { tx: tx.toString('base64') })
    if (code !== 0) throw new Error(`CometMock refused a transaction with the code ${code}`)
    await waitForTransaction(port, tx)
  },
})

async function canConnect(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

const KVSTORE = new URL('serve-kvstore.ts', import.meta.url).pathname

/** Starts a kvstore as a separate process, calls `use` with the address of the kvstore, and stops the process. */
async function withKvStore<T>(directory: string, use: (address: string) => Promise<T>): Promise<T> {
  const port = await freePort()
  const address = `tcp://127.0.0.1:${port}`
  const args = [KVSTORE, address]
  return withProcess({ binary: process.execPath, args, directory, probe: () => canConnect(port) }, () => use(address))
}

/**
 * The programs for a CometMock devnet: CometMock itself, and a node that makes the genesis and the key of the
 * validator.
 */
export interface CometMockPrograms {
  readonly cometmock: string
  readonly node: Subject
}

/** Returns a CometMock devnet with one validator. CometMock makes blocks only on request and for each transaction. */
export const cometMockDevnet = ({ cometmock, node }: CometMockPrograms): DevnetSubject => ({
  name: 'cometmock',
  use: async (directory, measure) => {
    const { home } = await makeHome(node, join(directory, 'home'))
    const port = await freePort()
    const flags = ['--block-production-interval=-1', '--auto-tx=true']
    return withKvStore(directory, (application) => {
      const args = [...flags, application, join(home, 'config/genesis.json'), `tcp://127.0.0.1:${port}`, home, 'socket']
      const process = { binary: cometmock, args, directory, probe: () => heightOf(port) }
      return withProcess(process, () => measure(devnetAt(port)))
    })
  },
})
