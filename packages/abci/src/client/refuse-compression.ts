import type { Client, Metadata } from '@grpc/grpc-js'

/** The value of `INTERNAL` in grpc.status, for an answer that cannot be decoded. */
const INTERNAL = 13

/** The first byte of a gRPC frame with a compressed message. */
const COMPRESSED = 1

async function uncompressed(frame: Promise<Buffer>): Promise<Buffer> {
  const bytes = await frame
  if (bytes[0] !== COMPRESSED) return bytes
  const details = 'the answer is compressed; let the application send answers without compression'
  throw Object.assign(new Error(details), { code: INTERNAL, details })
}

/** Names no compression in a request. Some applications compress their answers if the request names one. */
async function withoutCompression(metadata: Promise<Metadata>): Promise<Metadata> {
  const headers = await metadata
  headers.set('grpc-accept-encoding', 'identity')
  return headers
}

const same = <T>(value: T): T => value

/**
 * A filter of the library. It changes the headers of each request after the library made them, and sees each received
 * frame before the library decompresses its message.
 */
const FILTER = {
  sendMetadata: withoutCompression,
  receiveMetadata: same,
  sendMessage: same,
  receiveMessage: uncompressed,
  receiveTrailers: same,
}

/** The members of a channel that its types do not have. */
interface ChannelInternals {
  readonly internalChannel?: {
    readonly filterStackFactory?: { readonly factories?: { readonly createFilter: () => typeof FILTER }[] }
  }
}

/**
 * Lets each call of `client` fail if its answer is compressed. A message of 500 kB can decompress to 500 MB. A node in
 * Go cannot decompress answers either. The library has no option for this, so the filter is added to the filters that
 * the library itself uses.
 */
export function refuseCompression(client: Client): void {
  const { internalChannel } = client.getChannel() as ChannelInternals
  internalChannel?.filterStackFactory?.factories?.push({ createFilter: () => FILTER })
}
