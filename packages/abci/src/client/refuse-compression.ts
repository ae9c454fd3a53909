import type { Client, Metadata } from '@grpc/grpc-js'

/** The gRPC status code `INTERNAL`, for an answer that cannot be decoded. */
const INTERNAL = 13

/** The first byte of a gRPC frame with a compressed message. */
const COMPRESSED = 1

async function uncompressed(frame: Promise<Buffer>): Promise<Buffer> {
  const bytes = await frame
  if (bytes[0] !== COMPRESSED) return bytes
  const details = 'the answer is compressed; let the application send answers without compression'
  throw Object.assign(new Error(details), { code: INTERNAL, details })
}

/** Sets the request header that allows no compression. Some applications compress if the header allows it. */
async function withoutCompression(metadata: Promise<Metadata>): Promise<Metadata> {
  const headers = await metadata
  headers.set('grpc-accept-encoding', 'identity')
  return headers
}

const same = <T>(value: T): T => value

/**
 * A filter for the library `@grpc/grpc-js`. The filter changes the headers of each request after the library has made
 * them. The filter also receives each frame of an answer before the library decompresses the message in the frame.
 */
const FILTER = {
  sendMetadata: withoutCompression,
  receiveMetadata: same,
  sendMessage: same,
  receiveMessage: uncompressed,
  receiveTrailers: same,
}

/** The members of a channel of `@grpc/grpc-js` that the library's types do not declare. */
interface ChannelInternals {
  readonly internalChannel?: {
    readonly filterStackFactory?: { readonly factories?: { readonly createFilter: () => typeof FILTER }[] }
  }
}

/**
 * Makes each call of `client` fail if the answer is compressed: a compressed message of 500 kB can become a message of
 * 500 MB. A node of the reference cannot decompress answers either. The library `@grpc/grpc-js` has no option that
 * refuses compressed answers, so `FILTER` is added to the library's own filters.
 */
export function refuseCompression(client: Client): void {
  const { internalChannel } = client.getChannel() as ChannelInternals
  internalChannel?.filterStackFactory?.factories?.push({ createFilter: () => FILTER })
}
