import type { Engine } from '@org/engine'
import type { Logger } from '@org/runtime'
import { equalBytes } from '@org/types/bytes'
import { addressOf, formatPublicKey } from '@org/types/crypto'
import { HALLEY_VERSION, VERSIONS } from '../version.ts'

/**
 * Logs the versions of the program and of its protocols, and the home. A field that the reference logs too has the
 * reference's name.
 */
export function logVersion(home: string, logger: Logger): void {
  logger.info('Version info', {
    halley: HALLEY_VERSION,
    tendermint_version: VERSIONS.software,
    abci: VERSIONS.abci,
    block: VERSIONS.block,
    p2p: VERSIONS.p2p,
    runtime: process.version,
    home,
  })
}

export interface Identity {
  readonly nodeId: string
  readonly nodeKeyFile: string
  readonly logger: Logger
}

/** Logs whether this node is a validator, and its id as a peer, in the reference's words. */
export function logIdentity(
  { publicKey, initialState }: Pick<Engine, 'publicKey' | 'initialState'>,
  { nodeId, nodeKeyFile, logger }: Identity,
): void {
  const addr = addressOf(publicKey)
  const isValidator = initialState.validators.validators.some(({ address }) => equalBytes(address, addr))
  logger
    .child('consensus')
    .info(`This node is ${isValidator ? 'a' : 'not a'} validator`, { addr, pubKey: formatPublicKey(publicKey) })
  logger.child('p2p').info('P2P Node ID', { ID: nodeId, file: nodeKeyFile })
}
