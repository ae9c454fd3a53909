import { BLOCK_PROTOCOL, P2P_PROTOCOL, SOFTWARE_VERSION } from '@org/types'
import { ABCI_VERSION } from '@org/types/abci'

/** The versions that Halley writes into messages and files. They are the reference's versions. */
export const VERSIONS = {
  software: SOFTWARE_VERSION,
  abci: ABCI_VERSION,
  block: Number(BLOCK_PROTOCOL),
  p2p: Number(P2P_PROTOCOL),
}

/** The version of Halley. `version` shows it on a terminal, and the first line of the log has it. */
export const HALLEY_VERSION = '0.1.0'
