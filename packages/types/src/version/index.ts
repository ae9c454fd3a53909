export { App, Consensus } from './wire.ts'
