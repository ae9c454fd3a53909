import { freePort } from '@org/golden'
import { call } from '../rpc.ts'
import type { Devnet, DevnetSubject } from './devnet.ts'
import { withProcess } from './with-process.ts'

interface Receipt {
  readonly status: string
}

/** The nonce makes each transaction different. */
async function createDevnet(port: number): Promise<Devnet> {
  const [from] = await call<readonly string[]>(port, 'eth_accounts', [])
  return {
    mine: async (blocks) => void (await call(port, 'anvil_mine', [`0x${blocks.toString(16)}`])),
    height: async () => Number(await call<string>(port, 'eth_blockNumber', [])),
    commit: async () => {
      const { status } = await call<Receipt>(port, 'eth_sendTransactionSync', [{ from, to: from, value: '0x1' }])
      if (status !== '0x1') throw new Error('Anvil refused a transaction')
    },
  }
}

/**
 * Returns Anvil, the devnet of Foundry for Ethereum, with its default settings. Anvil then makes a block for each
 * transaction at once.
 */
export const anvilDevnet = (binary: string): DevnetSubject => ({
  name: 'anvil',
  use: async (directory, measure) => {
    const port = await freePort()
    const probe = () => call(port, 'eth_blockNumber', [])
    return withProcess({ binary, args: ['--silent', '--port', String(port)], directory, probe }, async () =>
      measure(await createDevnet(port)),
    )
  },
})
