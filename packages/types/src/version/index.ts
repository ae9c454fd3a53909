export { AppVersion, ConsensusVersion } from './wire.ts'
