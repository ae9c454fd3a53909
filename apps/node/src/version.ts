import { ABCI_VERSION, BLOCK_PROTOCOL, P2P_PROTOCOL, SOFTWARE_VERSION } from '@org/types/version'

/** The versions on the wire and in files: the reference's. */
export const VERSIONS = {
  software: SOFTWARE_VERSION,
  abci: ABCI_VERSION,
  block: Number(BLOCK_PROTOCOL),
  p2p: Number(P2P_PROTOCOL),
}

/** Our own, shown by `version` on a terminal and in the first line of the log. */
export const HALLEY_VERSION = '0.1.0'
