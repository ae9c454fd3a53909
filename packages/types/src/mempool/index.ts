export { Message, Txs } from './wire.ts'
