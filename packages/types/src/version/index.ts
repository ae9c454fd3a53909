export { ABCI_VERSION, BLOCK_PROTOCOL, P2P_PROTOCOL, SOFTWARE_VERSION } from './versions.ts'
export { AppVersion, ConsensusVersion } from './wire.ts'
