import { RPC_ERRORS, RpcError } from '../errors.ts'

/** An address on which a server listens: a host and a TCP port, or the path of a Unix socket. */
export type ListenAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }

function invalid(address: string, why: string): RpcError {
  return new RpcError(RPC_ERRORS.config, `invalid listening address ${address} (${why})`, { data: { address } })
}

/** Parses an address `tcp://host:port` or `unix://path`. Throws RpcError (`RPC_CONFIG`). */
export function parseListenAddress(address: string): ListenAddress {
  const match = /^([a-z0-9]+):\/\/(.*)$/.exec(address)
  if (match === null) throw invalid(address, 'use fully formed addresses, including the tcp:// or unix:// prefix')
  const [, proto, rest = ''] = match
  if (proto === 'unix') {
    if (rest === '') throw invalid(address, 'a path must follow unix://')
    return { kind: 'unix', path: rest }
  }
  if (proto !== 'tcp') throw invalid(address, 'only tcp:// and unix:// are supported')
  const parts = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(rest)
  const port = Number(parts?.[3])
  if (parts === null || port > 65535) throw invalid(address, 'expected host:port')
  return { kind: 'tcp', host: parts[1] ?? parts[2] ?? '', port }
}

/** Parses a list of addresses that commas separate. */
export function parseListenAddresses(list: string): readonly ListenAddress[] {
  return list
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
    .map(parseListenAddress)
}

/** Returns `address:port` of the client; `@` over a unix socket. */
export function remoteAddressOf(socket: {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
}): string {
  const { remoteAddress = '', remotePort = 0 } = socket
  if (remoteAddress === '') return '@'
  return `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`
}

export function formatListenAddress(address: ListenAddress): string {
  if (address.kind === 'unix') return `unix://${address.path}`
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return `tcp://${host}:${address.port}`
}
