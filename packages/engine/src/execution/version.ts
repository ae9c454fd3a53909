/** What this node says it is: to the application, in states that it saves. */
export const SOFTWARE_VERSION = '0.38.25'
export const ABCI_VERSION = '2.0.0'
export const P2P_PROTOCOL = 8n
