/** The software version that this node reports to the application and stores in states. */
export const SOFTWARE_VERSION = '0.38.25'
export const ABCI_VERSION = '2.0.0'
export const P2P_PROTOCOL = 8n
