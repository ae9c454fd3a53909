import { launch, type Running } from '@org/golden'

const HALLEY = new URL('../../../node/bin/halley', import.meta.url).pathname

export interface Devnet {
  readonly url: string
  readonly output: () => string
  readonly ask: (path: string) => Promise<Record<string, unknown>>
  /** Sends a transaction, and resolves with its hash and height when a block has it. */
  readonly sendTx: (tx: string) => Promise<{ readonly hash: string; readonly height: number }>
  readonly stop: () => Promise<void>
}

/** Starts `halley devnet`, which keeps nothing. */
export async function startDevnet(...args: readonly string[]): Promise<Devnet> {
  const flags = ['devnet', '--ephemeral', '--rpc.laddr=tcp://127.0.0.1:0', ...args]
  const env = { HALLEY_HOME: '', CMTHOME: '', HALLEY_P2P_LADDR: 'tcp://127.0.0.1:0' }
  const running: Running = launch(HALLEY, flags, { env })
  await running.saw('  curl ')
  const url = /(?:RPC|node0) +(\S+)/.exec(running.output())?.[1] ?? ''
  const ask = async (path: string): Promise<Record<string, unknown>> =>
    ((await (await fetch(url + path)).json()) as { result: Record<string, unknown> }).result
  return {
    url,
    output: running.output,
    ask,
    sendTx: async (tx) => {
      const { hash, height } = await ask(`/broadcast_tx_commit?tx=${encodeURIComponent(JSON.stringify(tx))}`)
      return { hash: String(hash), height: Number(height) }
    },
    stop: async () => {
      await running.stop('SIGINT')
    },
  }
}
