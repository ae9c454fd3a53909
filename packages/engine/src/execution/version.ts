import type { RequestInfo } from '@org/types/abci'
import { BLOCK_PROTOCOL } from '@org/types/block'

/** The software version that this node reports to the application and stores in states. */
export const SOFTWARE_VERSION = '0.38.25'
export const ABCI_VERSION = '2.0.0'
export const P2P_PROTOCOL = 8n

/** The request with which the node asks for the application's height. */
export const INFO_REQUEST: RequestInfo = {
  version: SOFTWARE_VERSION,
  blockVersion: BLOCK_PROTOCOL,
  p2pVersion: P2P_PROTOCOL,
  abciVersion: ABCI_VERSION,
}
