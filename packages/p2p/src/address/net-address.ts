import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { bytesToHex } from '@org/types/bytes'
import { addressOf, type PublicKey } from '@org/types/crypto'
import { ADDRESS_ERRORS, AddressError } from './errors.ts'

/** The address of a peer: `id@ip:port`. The id is the lower-case hex address of its key. */
export interface NetAddress {
  readonly id: string
  /** An IPv4 or IPv6 address, without brackets. */
  readonly ip: string
  readonly port: number
}

/** The number of hex digits of an id. */
const ID_LENGTH = 40

/** Returns the id of a node with this key. */
export function nodeIdOf(key: PublicKey): string {
  return bytesToHex(addressOf(key)).toLowerCase()
}

/** Returns the reason why a text is not the id of a node, in the reference's words; `undefined` if it is valid. */
export function validateId(id: string): string | undefined {
  if (id.length === 0) return 'no ID'
  if (!/^[0-9a-fA-F]*$/.test(id)) return 'encoding/hex: invalid byte'
  if (id.length !== ID_LENGTH) return `invalid hex length - got ${Math.floor(id.length / 2)}, expected ${ID_LENGTH / 2}`
  return undefined
}

/** A TCP address: a host name or an IP address, and a port. */
export interface HostAndPort {
  readonly host: string
  readonly port: number
}

/**
 * Returns an IP address in the form in which the reference writes it. Returns `undefined` if the text is not an IP
 * address, or if the address has a zone.
 */
export function canonicalIp(text: string): string | undefined {
  const family = isIP(text)
  if (family !== 6) return family === 4 ? text : undefined
  if (text.includes('%')) return undefined
  const short = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  if (mapped === null) return short
  // A socket for both IPv4 and IPv6 reports the IPv4 address 1.2.3.4 as the IPv6 address `::ffff:102:304`. Such an
  // address is converted back to IPv4.
  const [high, low] = [Number.parseInt(mapped[1] as string, 16), Number.parseInt(mapped[2] as string, 16)]
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

/** Reads `host:port` or `[ipv6]:port`, with or without `tcp://` before it. Throws `ADDRESS_INVALID`. */
export function parseHostPort(text: string): HostAndPort {
  const bare = text.replace(/^[a-z0-9]+:\/\//, '')
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d+)$/.exec(bare)
  const host = match?.[1] ?? match?.[2] ?? ''
  const port = Number(match?.[3])
  if (match === null || host === '' || port > 65_535) {
    const why = match === null ? 'not host:port' : host === '' ? 'host is empty' : 'port out of range'
    throw new AddressError(ADDRESS_ERRORS.invalid, `invalid address (${bare}): ${why}`, { data: { address: bare } })
  }
  return { host: canonicalIp(host) ?? host, port }
}

/** Reads `id@host:port`. If the host is a name, looks up its IP address. Throws {@link AddressError}. */
export async function parseNetAddress(text: string): Promise<NetAddress> {
  const bare = text.replace(/^[a-z0-9]+:\/\//, '')
  const parts = bare.split('@')
  const [id, hostPort] = parts
  if (parts.length !== 2 || id === undefined || hostPort === undefined) {
    throw new AddressError(ADDRESS_ERRORS.noId, `address (${text}) does not contain ID`, { data: { address: text } })
  }
  const wrong = validateId(id)
  if (wrong !== undefined) {
    throw new AddressError(ADDRESS_ERRORS.invalid, `invalid address (${bare}): ${wrong}`, { data: { address: bare } })
  }
  const { host, port } = parseHostPort(hostPort)
  if (isIP(host) !== 0) return { id, ip: host, port }
  try {
    return { id, ip: (await lookup(host)).address, port }
  } catch (cause) {
    throw new AddressError(ADDRESS_ERRORS.lookup, `error looking up host (${host})`, { data: { host }, cause })
  }
}

/** Returns the IP address and the port as `ip:port`. An IPv6 address is in brackets. */
export function formatHostPort({ ip, port }: Pick<NetAddress, 'ip' | 'port'>): string {
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}`
}

/** Returns an address as `id@ip:port`. An IPv6 address is in brackets. */
export function formatNetAddress(address: NetAddress): string {
  return `${address.id}@${formatHostPort(address)}`
}

/** True if both addresses have the same id, IP address and port. */
export function equalAddresses(a: NetAddress, b: NetAddress): boolean {
  return formatNetAddress(a) === formatNetAddress(b)
}

/** True if both addresses have the same IP address and port, or the same id. */
export function isSameNode(a: NetAddress, b: NetAddress): boolean {
  return formatHostPort(a) === formatHostPort(b) || a.id === b.id
}
