export { MempoolMessage, Txs } from './wire.ts'
