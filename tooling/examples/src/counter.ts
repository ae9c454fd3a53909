import { type Application, createAbciServer } from '@org/abci'

let height = 0
let total = 0

const app: Application = {
  info: () => ({ lastBlockHeight: height, lastBlockAppHash: String(total) }),
  checkTx: ({ tx }) => (tx.length <= 100 ? {} : { code: 1, log: 'at most 100 bytes' }),
  finalizeBlock: (block) => {
    height = block.height
    total += block.txs.length
    return { txResults: block.txs.map(() => ({})), appHash: String(total) }
  },
  query: () => ({ value: String(total) }),
}

await createAbciServer({ address: process.argv[2] ?? 'tcp://127.0.0.1:26658', kind: 'socket' }, { app }).start()
