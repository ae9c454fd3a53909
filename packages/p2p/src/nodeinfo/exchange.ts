import type { Clock } from '@org/runtime'
import { concatBytes } from '@org/types/bytes'
import { DefaultNodeInfo } from '@org/types/p2p'
import { readLength } from '../framing/read-length.ts'
import type { SecretConnection } from '../secret/index.ts'
import { REJECTIONS, RejectedError } from './errors.ts'
import { MAX_NODE_INFO_SIZE, type NodeInfo } from './node-info.ts'

/**
 * Sends this node's node info, and reads the node info of the peer. Throws `REJECTED_AUTHENTICATION` if the peer sends
 * too many bytes or an invalid message, or does not send its node info within `timeoutMs`. The bytes after the node
 * info are returned as `rest`.
 */
export function exchangeNodeInfo(
  connection: SecretConnection,
  ownNodeInfo: NodeInfo,
  options: { readonly timeoutMs: number; readonly clock: Clock },
): Promise<{ readonly info: NodeInfo; readonly rest: Uint8Array }> {
  let buffer: Uint8Array = new Uint8Array(0)
  return new Promise((resolve, reject) => {
    const timer = options.clock.after(options.timeoutMs, () => fail('the peer did not send its node info in time'))
    const finish = (run: () => void): void => {
      timer.cancel()
      connection.pause()
      run()
    }
    const fail = (why: string, cause?: unknown): void =>
      finish(() => reject(new RejectedError(REJECTIONS.authentication, `handshake failed: ${why}`, { cause })))
    connection.handle({
      data: (bytes) => {
        buffer = concatBytes(buffer, bytes)
        const length = readLength(buffer)
        if (length === undefined) return
        if (length === 'overlong' || length.value > MAX_NODE_INFO_SIZE) {
          fail('the node info is too long')
          return
        }
        const end = length.size + length.value
        if (buffer.length < end) return
        try {
          const info = DefaultNodeInfo.decode(buffer.slice(length.size, end))
          finish(() => resolve({ info, rest: buffer.slice(end) }))
        } catch (cause) {
          fail('the node info cannot be decoded', cause)
        }
      },
      drain: () => undefined,
      close: (cause) => fail('the peer closed the connection', cause),
    })
    connection.write(DefaultNodeInfo.encodeDelimited(ownNodeInfo))
    connection.resume()
  })
}
