import { field, type Infer, type MessageSchema, message, string, uint64 } from '../schema/index.ts'

const consensusVersionSchema = message('tendermint.version.Consensus', {
  block: field(1, uint64, { jsonEmpty: 'omit' }),
  app: field(2, uint64, { jsonEmpty: 'omit' }),
})
/** tendermint.version.Consensus: the protocol version of a block, and the version of the application. */
export interface ConsensusVersion extends Infer<typeof consensusVersionSchema> {}
export const ConsensusVersion: MessageSchema<ConsensusVersion> = consensusVersionSchema

/** tendermint.version.App: the protocol version and the software version of an application. */
export const AppVersion = message('tendermint.version.App', {
  protocol: field(1, uint64, { jsonEmpty: 'omit' }),
  software: field(2, string, { jsonEmpty: 'omit' }),
})
export type AppVersion = Infer<typeof AppVersion>
