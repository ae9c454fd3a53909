import { unavailable } from './unavailable.ts'

const BYTE = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/

function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => BYTE.test(part))
}

/** Replaces `isIP` of `node:net`. Simulated nodes have addresses of IPv4 only. */
export const isIP = (text: string): 0 | 4 => (isIPv4(text) ? 4 : 0)
export const isIPv6 = (_text: string): boolean => false

function numberOf(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

/** Replaces `BlockList` of `node:net`. Ignores ranges of IPv6, because they contain no simulated node. */
export class BlockList {
  readonly #ranges: (readonly [first: number, size: number])[] = []

  addSubnet(ip: string, bits: number): void {
    if (!isIPv4(ip)) return
    const size = 2 ** (32 - bits)
    this.#ranges.push([Math.floor(numberOf(ip) / size) * size, size])
  }

  check(ip: string): boolean {
    const at = numberOf(ip)
    return this.#ranges.some(([first, size]) => at >= first && at < first + size)
  }
}

export const connect = unavailable('connect')
export const createServer = unavailable('createServer')
