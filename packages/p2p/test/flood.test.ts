import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type StreamFactory, tcpStreams, tcpTransport } from '../src/index.ts'
import { startSwitch } from './test-switch.ts'

/** Makes TCP streams from a separate address on loopback. */
const from = (localAddress: string): StreamFactory => ({
  ...tcpStreams,
  dial: ({ ip, port }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: ip, port, localAddress })
      socket.once('error', reject)
      socket.once('connect', () => resolve(tcpTransport(socket)))
    }),
})

/** The first bytes of an attacker: no bytes, half a handshake, garbage, or a whole ephemeral key and then garbage. */
const OPENINGS: readonly Uint8Array[] = [
  new Uint8Array(0),
  Uint8Array.of(34, 10, 32, 1, 2, 3),
  new Uint8Array(300).fill(255),
  Uint8Array.of(34, 10, 32, ...new Uint8Array(32).fill(9), ...new Uint8Array(1100).fill(7)),
]

test('behavior: after a burst of 3,000 connections a peer with another address can connect, and no memory stays in use', async () => {
  const victim = await startSwitch({
    streams: tcpStreams,
    ip: '127.0.0.1',
    listenPort: 0,
    options: { allowDuplicateIp: true, handshakeTimeoutMs: 2000 },
  })
  const sockets = new Set<Socket>()
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  let ended = 0
  const before = process.memoryUsage().heapUsed
  const attack = async (i: number): Promise<void> => {
    const socket = connect({ host: '127.0.0.1', port: victim.address.port })
    sockets.add(socket.resume())
    socket.on('error', () => undefined)
    socket.once('close', () => {
      ended++
      sockets.delete(socket)
    })
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    socket.write(OPENINGS[i % OPENINGS.length] as Uint8Array)
  }
  for (let i = 0; i < 3000; i += 100) await Promise.all(Array.from({ length: 100 }, (_, j) => attack(i + j)))
  const honest = await startSwitch({ streams: from('127.0.0.2'), ip: '127.0.0.2', listenPort: 0 })
  await honest.peers.dial(victim.address)
  await expect.poll(() => victim.peers.peers().map(({ id }) => id), { timeout: 10_000 }).toEqual([honest.address.id])
  // Every attacker is disconnected. For an attacker that sends nothing, this happens at the time limit of the
  // handshake.
  await expect.poll(() => ended, { timeout: 20_000 }).toBe(3000)
  expect(victim.events).toEqual([['in', honest.address.id]])
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000)
}, 60_000)
