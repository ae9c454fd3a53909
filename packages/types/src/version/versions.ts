/**
 * The version of the reference whose protocols and file formats this package implements. RPC clients read this version
 * to choose the methods and the forms of their requests.
 */
export const SOFTWARE_VERSION = '0.38.25'
/** The version of ABCI between node and application. */
export const ABCI_VERSION = '2.0.0'
/** The version of the peer-to-peer protocol. */
export const P2P_PROTOCOL = 8n
/** The version of the block format. */
export const BLOCK_PROTOCOL = 11n
