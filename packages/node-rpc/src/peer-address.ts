import { CodedError } from '@org/runtime/errors'

/** The codes of {@link PeerAddressError}. */
export const PEER_ADDRESS_ERRORS = { invalid: 'PEER_ADDRESS' } as const

/** The error for an invalid address of a peer in a call of the RPC. */
export class PeerAddressError extends CodedError<(typeof PEER_ADDRESS_ERRORS)[keyof typeof PEER_ADDRESS_ERRORS]> {}

const ID_BYTES = 20

/** Formats a character as Go does: `U+0078 'x'`. */
function shownByte(byte: number): string {
  const code = `U+${byte.toString(16).toUpperCase().padStart(4, '0')}`
  const printable = (byte >= 0x20 && byte < 0x7f) || byte > 0xa0
  return printable && byte !== 0xad ? `${code} '${String.fromCharCode(byte)}'` : code
}

/** Returns what is wrong with a node ID; `undefined` if it is valid. */
function idFault(id: string): string | undefined {
  if (id === '') return 'no ID'
  const bytes = Buffer.from(id)
  // If an id has an invalid character and an odd length, the character is reported, as in Go's decoder of hex.
  const bad = bytes.find((byte) => !/[\da-f]/i.test(String.fromCharCode(byte)))
  if (bad !== undefined) return `encoding/hex: invalid byte: ${shownByte(bad)}`
  if (bytes.length % 2 === 1) return 'encoding/hex: odd length hex string'
  if (bytes.length !== ID_BYTES * 2) return `invalid hex length - got ${bytes.length / 2}, expected ${ID_BYTES}`
  return undefined
}

function splitHostPort(address: string): { readonly host: string; readonly port: string } | string {
  const fault = (what: string): string => `address ${address}: ${what}`
  const colon = address.lastIndexOf(':')
  if (colon < 0) return fault('missing port in address')
  const port = address.slice(colon + 1)
  if (address.startsWith('[')) {
    const end = address.indexOf(']')
    if (end < 0) return fault("missing ']' in address")
    if (end + 1 === address.length) return fault('missing port in address')
    if (end + 1 !== colon)
      return fault(address[end + 1] === ':' ? 'too many colons in address' : 'missing port in address')
    return { host: address.slice(1, end), port }
  }
  const host = address.slice(0, colon)
  return host.includes(':') ? fault('too many colons in address') : { host, port }
}

function portFault(port: string): string | undefined {
  if (!/^\d+$/.test(port)) return `strconv.ParseUint: parsing ${JSON.stringify(port)}: invalid syntax`
  return Number(port) > 65_535 ? `strconv.ParseUint: parsing ${JSON.stringify(port)}: value out of range` : undefined
}

/** Returns what is wrong with an address `id@host:port`, in the reference's words; `undefined` if it is valid. */
function addressFault(given: string): string | undefined {
  const scheme = given.indexOf('://')
  const address = scheme < 0 ? given : given.slice(scheme + 3)
  const [id = '', hostPort, ...more] = address.split('@')
  if (hostPort === undefined || more.length > 0) return `address (${given}) does not contain ID`
  const wrongId = idFault(id)
  if (wrongId !== undefined) return `invalid address (${address}): ${wrongId}`
  const split = splitHostPort(hostPort)
  if (typeof split === 'string') return `invalid address (${hostPort}): ${split}`
  if (split.host === '') return `invalid address (${hostPort}): host is empty`
  const wrongPort = portFault(split.port)
  return wrongPort === undefined ? undefined : `invalid address (${split.port}): ${wrongPort}`
}

/** Throws a `PeerAddressError` if an address is invalid. Does not look up host names. */
export function checkPeerAddress(address: string): void {
  const fault = addressFault(address)
  if (fault !== undefined) throw new PeerAddressError(PEER_ADDRESS_ERRORS.invalid, fault, { data: { address } })
}

/** Checks a list of node IDs. Throws a `PeerAddressError` that names the first invalid ID. */
export function checkPeerIds(ids: readonly string[]): void {
  for (const [index, id] of ids.entries()) {
    const fault = idFault(id)
    if (fault === undefined) continue
    throw new PeerAddressError(PEER_ADDRESS_ERRORS.invalid, `wrong ID #${index}: ${fault}`, { data: { id } })
  }
}
