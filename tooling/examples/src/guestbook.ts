import type { Application } from '@org/abci'

/** A guest book: a list of names in the order in which they were signed. Each name occurs once. */
export function guestbook(): Application {
  const names: string[] = []
  let height = 0
  const name = (tx: Uint8Array): string => new TextDecoder().decode(tx).toLowerCase()
  return {
    info: () => ({ lastBlockHeight: height, lastBlockAppHash: new TextEncoder().encode(String(names.length)) }),
    checkTx: ({ tx }) => (names.includes(name(tx)) ? { code: 1, log: 'you were here' } : {}),
    finalizeBlock: (block) => {
      height = block.height
      names.push(...block.txs.map(name))
      return { txResults: block.txs.map(() => ({})), appHash: new TextEncoder().encode(String(names.length)) }
    },
    query: () => ({ value: new TextEncoder().encode(names.join(' ')) }),
  }
}
