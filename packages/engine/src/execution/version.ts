import { BLOCK_PROTOCOL, P2P_PROTOCOL, SOFTWARE_VERSION } from '@org/types'
import { ABCI_VERSION, type RequestInfo } from '@org/types/abci'

/** The request with which the node asks for the application's height. */
export const INFO_REQUEST: RequestInfo = {
  version: SOFTWARE_VERSION,
  blockVersion: BLOCK_PROTOCOL,
  p2pVersion: P2P_PROTOCOL,
  abciVersion: ABCI_VERSION,
}
