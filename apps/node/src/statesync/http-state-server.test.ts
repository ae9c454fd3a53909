import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEFAULT_RESTORE_OPTIONS } from '@org/engine'
import { LIGHT_ERRORS } from '@org/light'
import { createSeededRandom, createVirtualClock, nextTurn } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpStateServer } from './http-state-server.ts'

/** Starts a server that accepts connections and requests, and never answers. */
async function silentServer(): Promise<string> {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Makes a call to a server that never answers. Returns the error of the call, and the number of milliseconds until the
 * error.
 */
async function failureOf(call: (server: ReturnType<typeof createHttpStateServer>) => Promise<unknown>) {
  const clock = createVirtualClock()
  const modules = { clock, random: createSeededRandom(1), onRetry: () => undefined }
  let error: unknown
  call(createHttpStateServer({ chainId: 'test-chain', url: await silentServer() }, modules)).catch((cause: unknown) => {
    error = cause
  })
  for (let turn = 0; turn < 1000 && error === undefined; turn++) {
    await nextTurn()
    clock.next()
  }
  return { error, ms: clock.monotonic() }
}

const signal = new AbortController().signal

test('behavior: the waits for one silent server, as primary and twice as witness, fit into the time for a proof', async () => {
  const { error, ms } = await failureOf((server) => server.lightBlock(7, { signal }))
  expect(error).toMatchObject({ code: LIGHT_ERRORS.noResponse })
  expect(3 * ms).toBeLessThan(DEFAULT_RESTORE_OPTIONS.proofMs)
})

test('behavior: a server that does not send parameters fails alone, before the proof is given up', async () => {
  const { error, ms } = await failureOf((server) => server.consensusParams(7, signal))
  expect(error).toMatchObject({ code: LIGHT_ERRORS.noResponse, message: expect.stringMatching(/within 10 s/) })
  expect(3 * ms).toBeLessThan(DEFAULT_RESTORE_OPTIONS.proofMs)
})
