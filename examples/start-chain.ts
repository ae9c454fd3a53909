import type { Account, App } from '@org/app'
import { type Chain, createChain } from '@org/simnet'

const CHAIN_ID = 'example'

export interface Example extends AsyncDisposable {
  readonly chain: Chain
  /** Signs and sends a message. Resolves with `ok`, or with the code and the reason of the refusal. */
  readonly send: (from: Account, type: string, value: unknown) => Promise<string>
  /** Queries the application. Resolves with the answer, or with the code and the reason of the refusal. */
  readonly ask: (path: string, argument?: unknown) => Promise<unknown>
}

/** Starts a chain of four validators. Gives each account the next nonce. */
export async function startExample(app: () => App, appState: object = {}): Promise<Example> {
  const chain = await createChain({ app: () => app(), validators: 4, genesis: { chainId: CHAIN_ID, appState } })
  const nonces = new Map<Account, number>()
  return {
    chain,
    send: async (from, type, value) => {
      const nonce = nonces.get(from) ?? 0
      const { code, log } = await chain.broadcast(from.sign({ type, value, nonce, chainId: CHAIN_ID }))
      if (code === 0) nonces.set(from, nonce + 1)
      return code === 0 ? 'ok' : `${code}: ${log}`
    },
    ask: async (path, argument) => {
      const { code, value, log } = await chain.query(path, argument === undefined ? '' : JSON.stringify(argument))
      return code === 0 ? JSON.parse(new TextDecoder().decode(value)) : `${code}: ${log}`
    },
    [Symbol.asyncDispose]: () => chain.stop(),
  }
}
