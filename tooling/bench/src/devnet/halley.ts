import { freePort } from '@org/golden'
import { call, heightOf } from '../rpc.ts'
import type { Devnet, DevnetSubject } from './devnet.ts'
import { withProcess } from './with-process.ts'

const devnetAt = (port: number): Devnet => ({
  mine: async (blocks) => void (await call(port, 'advance_blocks', { num_blocks: String(blocks) })),
  height: () => heightOf(port),
  commit: async (id) => {
    const tx = Buffer.from(`key${id}=value`).toString('base64')
    const { height } = await call<{ readonly height: string }>(port, 'broadcast_tx_commit', { tx })
    if (height === '0') throw new Error('a transaction is not in a block')
  },
})

/** Returns the measured program `halley devnet --control`. Its kvstore runs in the same process. */
export const halleyDevnet = ({ name, binary }: { readonly name: string; readonly binary: string }): DevnetSubject => ({
  name,
  use: async (directory, measure) => {
    const port = await freePort()
    const args = ['devnet', '--control', '--rpc.laddr', `tcp://127.0.0.1:${port}`]
    // The node answers `dev_info` only when its methods for the control of a devnet (`dev_*`) are ready.
    const probe = () => call(port, 'dev_info')
    return withProcess({ binary, args, directory, probe }, () => measure(devnetAt(port)))
  },
})
