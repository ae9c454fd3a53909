import { createConnection } from 'node:net'

/**
 * Sends bytes to a server on a port of this machine. Waits until the answer contains `end`, or until the server
 * closes the connection.
 */
export function send(port: number, input: Uint8Array, end: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer = (answer + data.toString('latin1')).slice(-4096)
      if (!answer.includes(end)) return
      resolve(answer)
      socket.destroy()
    })
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
    socket.on('timeout', () => reject(new Error('no answer in 20 s')))
    socket.setTimeout(20_000)
    socket.write(input)
  })
}
