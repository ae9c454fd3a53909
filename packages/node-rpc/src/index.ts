export { createPorts, type PortsModules } from './create-ports.ts'
export { PEER_ADDRESS_ERRORS, PeerAddressError } from './peer-address.ts'
