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
        const onDrainOrClose = (): void => {
          socket.off('drain', onDrainOrClose)
          socket.off('close', onDrainOrClose)
          resolve()
        }
        socket.once('drain', onDrainOrClose)
        socket.once('close', onDrainOrClose)
      }),
    end: () => {
      if (!socket.destroyed) socket.end(() => socket.destroySoon())
    },
    destroy: () => socket.destroy(),
  }
}
