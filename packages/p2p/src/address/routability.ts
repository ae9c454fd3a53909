import { BlockList, isIPv6 } from 'node:net'
import { type NetAddress, validateId } from './net-address.ts'

function rangeList(...ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [ip = '', bits = ''] = range.split('/')
    list.addSubnet(ip, Number(bits), isIPv6(ip) ? 'ipv6' : 'ipv4')
  }
  return list
}

const LOCAL = rangeList('127.0.0.0/8', '0.0.0.0/8', '::1/128')
/** The private, link-local, unique-local and overlay ranges of RFC 1918, 3927, 4862, 4193 and 4843. */
const PRIVATE = rangeList(
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fe80::/64',
  'fc00::/7',
  '2001:10::/28',
)
/** The ranges in which no node can be: unspecified, broadcast and documentation (RFC 3849). */
const INVALID = rangeList('0.0.0.0/32', '::/128', '255.255.255.255/32', '2001:db8::/32')

const within = (list: BlockList, ip: string): boolean => list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')

/** Returns the reason why no node can have this address; `undefined` if a node can have it. */
export function addressFault({ id, ip }: NetAddress): string | undefined {
  const wrong = validateId(id)
  if (wrong !== undefined) return `invalid ID: ${wrong}`
  return within(INVALID, ip) ? 'invalid IP' : undefined
}

const isLocalIp = (ip: string): boolean => within(LOCAL, ip)

/** Returns true if nodes everywhere on the Internet can reach the address. */
export function isRoutable(address: NetAddress): boolean {
  return addressFault(address) === undefined && !within(LOCAL, address.ip) && !within(PRIVATE, address.ip)
}

/**
 * Returns the group of an address: its /16 network in IPv4, and its /32 network in IPv6. Addresses are grouped because
 * one operator probably controls all nodes of a group. With `strict`, all local addresses are one group, and all other
 * addresses that are not routable are another group.
 */
export function addressGroup(address: NetAddress, strict: boolean): string {
  if (strict && isLocalIp(address.ip)) return 'local'
  if (strict && !isRoutable(address)) return 'unroutable'
  if (!isIPv6(address.ip)) return `${address.ip.split('.').slice(0, 2).join('.')}.0.0`
  const words = expandIpv6(address.ip)
  // The network 2001:470::/32 of Hurricane Electric has very many customers, so its groups are /36 networks.
  const isHe = words[0] === 0x2001 && words[1] === 0x470
  const third = isHe ? (words[2] ?? 0) & 0xf000 : 0
  return `${words[0]?.toString(16)}:${words[1]?.toString(16)}:${third.toString(16)}::`
}

/**
 * Returns an IPv6 address without its zone, written only in groups of hex digits. If the address ends with an IPv4
 * address (`::ffff:1.2.3.4`), that part becomes two groups of hex digits.
 */
function inWords(ip: string): string {
  const zone = ip.indexOf('%')
  const plain = zone === -1 ? ip : ip.slice(0, zone)
  const end = plain.lastIndexOf(':') + 1
  const [a, b, c, d] = plain.slice(end).split('.').map(Number)
  if (a === undefined || b === undefined || c === undefined || d === undefined) return plain
  return `${plain.slice(0, end)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

function expandIpv6(ip: string): readonly number[] {
  const plain = inWords(ip)
  const [head = '', tail] = plain.split('::')
  const words = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16))
  const [first, last] = [words(head), words(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...new Array<number>(zeros).fill(0), ...last]
}
