import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHttpProvider, LIGHT_ERRORS, type Provider } from '@org/light'
import { createSeededRandom, createVirtualClock } from '@org/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withCircuitBreaker } from '../src/light/circuit-breaker.ts'
import { CHAIN_ID } from './support/made-blocks.ts'

type Behaviour = 'silent' | 'broken' | 'refusing'

/**
 * Starts a node with the given behaviour, and a provider for it. After the node did not answer a request, the provider
 * sends it no request for 10 s. A failed request is not repeated.
 */
async function start(behaviour: Behaviour) {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    if (behaviour === 'broken') request.socket.destroy()
    if (behaviour === 'refusing') response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"oops"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const clock = createVirtualClock()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const node = createHttpProvider({ chainId: CHAIN_ID, url, attempts: 1 }, { clock, random: createSeededRandom(1) })
  return { clock, asked: () => asked, provider: withCircuitBreaker(node, { clock }) }
}

const failsWith = (provider: Provider, message: RegExp): Promise<void> =>
  expect(provider.lightBlock(1)).rejects.toThrow(
    expect.objectContaining({ code: LIGHT_ERRORS.noResponse, message: expect.stringMatching(message) }),
  )

describe('a node that did not answer', () => {
  test('behavior: after a lost connection, the node is asked again only after 10 s', async () => {
    const { clock, asked, provider } = await start('broken')
    await expect(provider.lightBlock(1)).rejects.toThrow(expect.objectContaining({ code: LIGHT_ERRORS.noResponse }))
    const before = asked()
    await failsWith(provider, /is not asked: it did not answer before, and is asked again 10 s after that/)
    clock.advance(9999)
    await failsWith(provider, /is not asked/)
    expect(asked()).toBe(before)
    clock.advance(1)
    await expect(provider.lightBlock(1)).rejects.not.toThrow(/is not asked/)
    expect(asked()).toBeGreaterThan(before)
  })

  test('behavior: after the time limit of a request, the node rests', async () => {
    const { clock, asked, provider } = await start('silent')
    const answer = provider.lightBlock(1)
    answer.catch(() => undefined)
    await expect.poll(asked).toBe(1)
    clock.advance(5000)
    await expect(answer).rejects.toThrow(/no answer within 5000 ms/)
    await failsWith(provider, /is not asked/)
  })

  test('behavior: a caller that leaves does not make the node rest', async () => {
    const { asked, provider } = await start('silent')
    const stop = new AbortController()
    const answer = provider.lightBlock(1, { signal: stop.signal })
    answer.catch(() => undefined)
    await expect.poll(asked).toBe(1)
    stop.abort('gone')
    await expect(answer).rejects.toBe('gone')
    provider.lightBlock(1).catch(() => undefined)
    await expect.poll(asked).toBe(2)
  })

  test('behavior: an error that the node sent does not make it rest', async () => {
    const { asked, provider } = await start('refusing')
    for (let i = 1; i <= 3; i++) {
      const before = asked()
      await failsWith(provider, /oops/)
      expect(asked()).toBeGreaterThan(before)
    }
  })
})
