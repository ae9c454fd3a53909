import { Client, credentials, type ServiceError } from '@grpc/grpc-js'

/** The end of a call: its status, and the bytes of its answer if it succeeded. */
export interface Ended {
  readonly code: number
  readonly details?: string
  readonly bytes?: string
}

export interface GrpcClient extends Disposable {
  /** Calls a method of the BroadcastAPI with a message given as bytes; the answer is in hexadecimal. */
  readonly call: (method: string, message: Uint8Array) => Promise<Ended>
}

const same = (bytes: Buffer): Buffer => bytes

/** A client with a connection of its own. `address` is `host:port` or `unix:/path`. */
export function createGrpcClient(address: string): GrpcClient {
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_http_proxy': 0,
    'grpc.max_send_message_length': -1,
  })
  return {
    call: (method, message) =>
      new Promise((resolve) => {
        const path = method.includes('/') ? method : `/tendermint.rpc.grpc.BroadcastAPI/${method}`
        const done = (error: ServiceError | null, bytes?: Buffer): void => {
          if (error === null) resolve({ code: 0, bytes: bytes?.toString('hex') ?? '' })
          else resolve({ code: error.code, details: error.details })
        }
        client.makeUnaryRequest(path, same, same, Buffer.from(message), done)
      }),
    [Symbol.dispose]: () => client.close(),
  }
}

/** A `RequestBroadcastTx` of a transaction below 128 bytes. */
export function broadcastOf(tx: string): Uint8Array {
  const bytes = Buffer.from(tx)
  return Buffer.concat([Buffer.from([0x0a, bytes.length]), bytes])
}
