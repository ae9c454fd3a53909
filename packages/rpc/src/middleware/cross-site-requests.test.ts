import { expect, test } from 'vitest'
import { createCrossSiteRequests } from './cross-site-requests.ts'

const CURL = { 'user-agent': 'curl/8.5.0' }
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' }

/**
 * Returns a function that checks a request to control a devnet, for a listener on `laddr`. The function returns the
 * reason why the request is refused, or `undefined` if the request is allowed.
 */
function faultOf(laddr: string, corsAllowedOrigins: readonly string[] = []) {
  const { controlFault } = createCrossSiteRequests({ strict: false, laddr, corsAllowedOrigins })
  return (host: string, headers: Readonly<Record<string, string>>): string | undefined =>
    controlFault({ host, headers: new Map(Object.entries(headers)) })
}

/**
 * Returns a function that checks a request to control a devnet, for a listener on `laddr`. The function returns true if
 * the request is allowed.
 */
function controlOf(...given: Parameters<typeof faultOf>) {
  const fault = faultOf(...given)
  return (...request: Parameters<typeof fault>): boolean => fault(...request) === undefined
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
  expect(controlOf('tcp://0.0.0.0:26657', ['http://dev.example:26657'])('dev.example:26657', CURL)).toBe(true)
  // A name without a dot is a name of the local network. A listener on an open address accepts a request for such a
  // host name. A listener on loopback refuses the request, because programs on the same machine need no such name.
  expect(mayControl('chain:26657', CURL)).toBe(true)
  expect(controlOf('tcp://127.0.0.1:26657')('chain:26657', CURL)).toBe(false)
})

test('default: on loopback, a link that the operator opens in a browser may control a devnet', () => {
  const mayControl = controlOf('tcp://127.0.0.1:26657')
  expect(mayControl('localhost:26657', { ...BROWSER, 'sec-fetch-site': 'none' })).toBe(true)
  expect(mayControl('localhost:26657', BROWSER)).toBe(true)
  expect(mayControl('localhost:26657', { ...BROWSER, 'sec-fetch-site': 'cross-site' })).toBe(false)
})

test('default: with an open address, a program with the user agent of a browser may send JSON-RPC', () => {
  const fault = faultOf('tcp://0.0.0.0:26657')
  const json = { ...BROWSER, 'content-type': 'application/json; charset=utf-8' }
  expect(fault('192.168.1.5:26657', json)).toBe(undefined)
  expect(fault('192.168.1.5:26657', { ...BROWSER, 'content-type': 'text/plain' })).toContain('in a POST')
  expect(fault('192.168.1.5:26657', { ...json, origin: 'http://evil.example' })).toContain('pages of')
  expect(fault('evil.example:26657', json)).toContain('requests for the host')
})

test('default: with an open address, the page /docs of the node may control a devnet with GET requests', () => {
  const mayControl = controlOf('tcp://0.0.0.0:26657')
  const from = (referer: string) => ({ ...BROWSER, referer })
  expect(mayControl('192.168.1.5:26657', from('http://192.168.1.5:26657/docs'))).toBe(true)
  expect(mayControl('192.168.1.5:26657', from('http://evil.example/'))).toBe(false)
  expect(mayControl('192.168.1.5:26657', from('http://192.168.1.5:8080/docs'))).toBe(false)
  expect(mayControl('192.168.1.5:26657', from('no address'))).toBe(false)
  expect(mayControl('evil.example:26657', from('http://evil.example:26657/docs'))).toBe(false)
})

test('error: the remedy in each refusal lets the next request pass', () => {
  const [open, host] = ['tcp://0.0.0.0:26657', 'chain.example:26657']
  expect(faultOf(open)(host, CURL)).toContain(
    'use an IP address, or add http://chain.example:26657 to cors_allowed_origins',
  )
  expect(faultOf(open, ['http://chain.example:26657'])(host, CURL)).toBe(undefined)
  // This request of a browser is refused, because it has no `Origin` header. No entry of `cors_allowed_origins` would
  // help, so the error must not name this list.
  expect(faultOf(open)('10.0.0.5:26657', BROWSER)).not.toContain('cors_allowed_origins')
  const page = { ...BROWSER, origin: 'http://10.0.0.7:3000' }
  expect(faultOf(open)('10.0.0.5:26657', page)).toContain('add its origin to cors_allowed_origins')
  expect(faultOf(open, ['http://10.0.0.7:3000'])('10.0.0.5:26657', page)).toBe(undefined)
})
