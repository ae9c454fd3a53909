export { GENESIS_ERRORS, GenesisError, type GenesisErrorCode } from './errors.ts'
export { completeGenesis, type GenesisDoc, type GenesisValidator, genesisValidatorsHash } from './genesis.ts'
export { encodeGenesis, formatGenesis, genesisToJson, parseGenesis } from './json.ts'
export { compactJson, indentJson } from './raw-json.ts'
