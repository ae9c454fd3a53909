import { expect, test } from 'vitest'
import { createForeignRequests } from './foreign.ts'

const CURL = { 'user-agent': 'curl/8.5.0' }
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' }

/** Returns a function that shows whether a listener on `laddr` refuses the control of the devnet to a request. */
function controlOf(laddr: string, corsAllowedOrigins: readonly string[] = []) {
  const { controlFault } = createForeignRequests({ strict: false, laddr, corsAllowedOrigins })
  return (host: string, headers: Readonly<Record<string, string>>): boolean =>
    controlFault({ host, headers: new Map(Object.entries(headers)) }) === undefined
}

test('default: with an open address, pages of other sites cannot control a devnet by links and images', () => {
  const mayControl = controlOf('tcp://0.0.0.0:26657')
  expect(mayControl('192.168.1.5:26657', CURL)).toBe(true)
  expect(mayControl('192.168.1.5:26657', { ...BROWSER, origin: 'http://192.168.1.5:26657' })).toBe(true)
  // This is the request of an image in a page. Over plain HTTP, the browser does not send `Sec-Fetch-Site`.
  expect(mayControl('192.168.1.5:26657', BROWSER)).toBe(false)
  expect(mayControl('192.168.1.5:26657', { ...BROWSER, origin: 'http://evil.example' })).toBe(false)
})

test('default: with an open address, a name of another site that resolves to the node is refused', () => {
  const mayControl = controlOf('tcp://0.0.0.0:26657')
  expect(mayControl('evil.example:26657', { ...BROWSER, origin: 'http://evil.example:26657' })).toBe(false)
  expect(mayControl('evil.example:26657', CURL)).toBe(false)
  expect(controlOf('tcp://0.0.0.0:26657', ['http://devbox:26657'])('devbox:26657', CURL)).toBe(true)
})

test('default: on loopback, a link that the operator opens in a browser may control a devnet', () => {
  const mayControl = controlOf('tcp://127.0.0.1:26657')
  expect(mayControl('localhost:26657', { ...BROWSER, 'sec-fetch-site': 'none' })).toBe(true)
  expect(mayControl('localhost:26657', BROWSER)).toBe(true)
  expect(mayControl('localhost:26657', { ...BROWSER, 'sec-fetch-site': 'cross-site' })).toBe(false)
})
