import type { Shape } from '../door.ts'

/** Returns the beginning of a JSON-RPC call of `method`. The parameters follow it. */
export const call = (method: string): string => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":`

/**
 * The last request on a connection, which asks the server to close it. The answer to this request comes after all
 * other answers.
 */
export const LAST_REQUEST = 'GET /LAST HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'

/**
 * Returns a function that makes inputs. Each input is a POST request with a body that `body` makes, followed by
 * `LAST_REQUEST`.
 */
export const post = (body: Shape): Shape => {
  return (size) => {
    const bytes = body(size)
    const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${bytes.length}\r\n\r\n`
    return new Uint8Array(Buffer.concat([Buffer.from(head), bytes, Buffer.from(LAST_REQUEST)]))
  }
}
