export { ADDRESS_ERRORS, AddressError } from './errors.ts'
export {
  canonicalIp,
  equalAddresses,
  formatHostPort,
  formatNetAddress,
  type HostAndPort,
  isSameNode,
  type NetAddress,
  nodeIdOf,
  parseHostPort,
  parseNetAddress,
  validateId,
} from './net-address.ts'
export { addressFault, addressGroup, isRoutable } from './routability.ts'
