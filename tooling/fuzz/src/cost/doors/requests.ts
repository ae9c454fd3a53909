import type { Shape } from '../door.ts'

/** The beginning of a JSON-RPC call, up to its parameters. */
export const call = (method: string): string => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":`

/** The request that ends a connection: its answer comes after all others. */
export const LAST_REQUEST = 'GET /LAST HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'

/** A POST with this body, and a request that ends the connection. */
export const post = (body: Shape): Shape => {
  return (size) => {
    const bytes = body(size)
    const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${bytes.length}\r\n\r\n`
    return new Uint8Array(Buffer.concat([Buffer.from(head), bytes, Buffer.from(LAST_REQUEST)]))
  }
}
