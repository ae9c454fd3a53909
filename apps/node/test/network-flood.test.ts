import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTestnet, type NetworkNode, reached } from './support/testnet.ts'

const ATTEMPTS = 4000
const A_SECOND = 1000

/** The first bytes of an attacker's connection: no bytes, the beginning of a handshake, or garbage. */
const OPENINGS: readonly Uint8Array[] = [
  new Uint8Array(0),
  Uint8Array.of(34, 10, 32, 1, 2, 3),
  new Uint8Array(300).fill(255),
]

/** Opens connections at a fixed rate. Resolves when all connections were opened. */
async function flood(port: number): Promise<void> {
  const sockets = new Set<Socket>()
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let done = 0; done < ATTEMPTS; done += A_SECOND / 20) {
    const next = new Promise((resolve) => setTimeout(resolve, 50))
    for (let i = 0; i < A_SECOND / 20; i++) {
      const socket = connect(port, '127.0.0.1').resume()
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
      socket.on('connect', () => socket.write(OPENINGS[i % OPENINGS.length] as Uint8Array))
    }
    await next
  }
}

test('behavior: 1,000 connection attempts a second do not prevent validators from making blocks, or from connecting again', async () => {
  const config = { 'p2p.persistent_peers_max_dial_period': '"1s"', 'p2p.handshake_timeout': '"3s"' }
  const nodes = await createTestnet({ kinds: ['halley', 'halley', 'halley', 'halley'], config })
  for (const node of nodes) node.start()
  await reached(3, nodes, 60_000)
  const [victim, other] = nodes as [NetworkNode, NetworkNode]
  const before = await victim.height()
  await flood(victim.p2pPort)
  // The attack must not stop the chain: at least six blocks must be committed during the attack.
  expect(await victim.height()).toBeGreaterThan(before + 5)
  await other.stop('SIGKILL')
  other.start()
  await reached((await victim.height()) + 10, nodes, 60_000)
}, 150_000)
