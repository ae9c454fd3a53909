export { ADDRESS_ERRORS, AddressError } from './errors.ts'
export {
  canonicalIp,
  equalAddresses,
  formatHostPort,
  formatNetAddress,
  type HostAndPort,
  ID_LENGTH,
  isSameNode,
  type NetAddress,
  nodeIdOf,
  parseHostPort,
  parseNetAddress,
  validateId,
} from './net-address.ts'
export { addressFault, addressGroup, isLocalIp, isRoutable } from './routability.ts'
