import { launch, type Running } from '@org/golden'

const HALLEY = new URL('../../../node/bin/halley', import.meta.url).pathname

export interface Devnet {
  readonly url: string
  readonly output: () => string
  readonly ask: (path: string) => Promise<Record<string, unknown>>
  /** Sends a transaction, and resolves with its hash and height when a block contains it. */
  readonly sendTx: (tx: string) => Promise<{ readonly hash: string; readonly height: number }>
  readonly stop: () => Promise<void>
}

/** Returns the calls that tests make to a node. */
export function callsOf(url: string): Pick<Devnet, 'ask' | 'sendTx'> {
  const ask = async (path: string): Promise<Record<string, unknown>> =>
    ((await (await fetch(url + path)).json()) as { result: Record<string, unknown> }).result
  return {
    ask,
    sendTx: async (tx) => {
      const { hash, height } = await ask(`/broadcast_tx_commit?tx=0x${Buffer.from(tx).toString('hex')}`)
      return { hash: String(hash), height: Number(height) }
    },
  }
}

/** Starts `halley devnet` with a temporary home. */
export async function startDevnet(...args: readonly string[]): Promise<Devnet> {
  const flags = ['devnet', '--ephemeral', '--rpc.laddr=tcp://127.0.0.1:0', ...args]
  const env = { HALLEY_HOME: '', CMTHOME: '', HALLEY_P2P_LADDR: 'tcp://127.0.0.1:0' }
  const running: Running = launch(HALLEY, flags, { env })
  await running.saw('  curl ')
  const url = /(?:RPC|node0) +(\S+)/.exec(running.output())?.[1] ?? ''
  return {
    url,
    output: running.output,
    ...callsOf(url),
    stop: async () => {
      await running.stop('SIGINT')
    },
  }
}
