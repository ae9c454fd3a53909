import { ABCI_ERRORS, AbciError } from './errors.ts'

/** The address at which an application listens. */
export type Address =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }

/** Reads `tcp://host:port`, `host:port` or `unix://path`. Throws `ABCI_BAD_ADDRESS`. */
export function parseAddress(text: string): Address {
  const at = text.indexOf('://')
  const scheme = at < 0 ? 'tcp' : text.slice(0, at)
  const rest = at < 0 ? text : text.slice(at + 3)
  if (scheme === 'unix' && rest !== '') return { kind: 'unix', path: rest }
  const match = scheme === 'tcp' ? /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(rest) : null
  const port = Number(match?.[3])
  if (match === null || port > 65_535) {
    throw new AbciError(
      ABCI_ERRORS.badAddress,
      `"${text}" is not an address: expected tcp://host:port or unix://path`,
      {
        data: { address: text },
      },
    )
  }
  return { kind: 'tcp', host: match[1] ?? match[2] ?? '', port }
}

/** Returns an address as `tcp://host:port` or `unix://path`. */
export function formatAddress(address: Address): string {
  if (address.kind === 'unix') return `unix://${address.path}`
  return `tcp://${formatHostPort(address.host, address.port)}`
}

/** Returns the address in the form of the gRPC library. `anyHost` replaces an absent host. */
export function grpcTarget(address: Address, anyHost: string): string {
  if (address.kind === 'unix') return `unix:${address.path}`
  return formatHostPort(address.host || anyHost, address.port)
}

function formatHostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
