import type { Socket } from 'node:net'
import type { StreamSink } from './message.ts'

/** Writes an answer piece by piece to the connection. */
export function createSocketSink(socket: Socket): StreamSink {
  return {
    write: (...parts) => {
      if (socket.destroyed) return
      socket.cork()
      for (const part of parts) socket.write(part)
      socket.uncork()
    },
    isOpen: () => !socket.destroyed,
    isBehind: () => socket.writableNeedDrain,
    drained: () =>
      new Promise((resolve) => {
        if (socket.destroyed || !socket.writableNeedDrain) {
          resolve()
          return
        }
        const done = (): void => {
          socket.off('drain', done)
          socket.off('close', done)
          resolve()
        }
        socket.once('drain', done)
        socket.once('close', done)
      }),
    end: () => {
      if (!socket.destroyed) socket.end(() => socket.destroySoon())
    },
    destroy: () => socket.destroy(),
  }
}
