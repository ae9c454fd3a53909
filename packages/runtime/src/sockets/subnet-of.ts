import { isIPv6 } from 'node:net'

/** The number of groups of an IPv6 address that identify one customer of a provider. */
const SUBNET_GROUPS = 4
const GROUPS = 8
/** Matches `::ffff:a.b.c.d`. A socket that accepts both IPv6 and IPv4 reports an IPv4 address in this form. */
const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/**
 * Returns the subnet of an IPv6 address: the first 64 bits, which are four of the eight groups. If the address ends
 * with an IPv4 address, this IPv4 address takes the place of the last two groups. The IPv4 address is counted as two
 * groups to find how many groups `::` represents. The IPv4 address is not part of the result.
 */
function subnetPart(address: string): string {
  const [head, tail] = address.split('::') as [string, string?]
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const afterLength = after.length + (after.at(-1)?.includes('.') === true ? 1 : 0)
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - afterLength)
  const all = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${all
    .slice(0, SUBNET_GROUPS)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/**
 * Returns the group of the client at `address:port`, for a limit per client. It is the IPv4 address, or the /64 subnet
 * of an IPv6 address, because one customer can use all addresses of such a subnet. An IPv6 address may be in brackets.
 */
export function subnetOf(remoteAddress: string): string {
  const end = remoteAddress.lastIndexOf(':')
  const host = remoteAddress
    .slice(0, Math.max(end, 0))
    .replace(/^\[|\]$/g, '')
    .split('%', 1)[0] as string
  const mapped = MAPPED.exec(host)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(host) ? subnetPart(host) : host
}
