import { expect, test } from 'vitest'
import { formatAddress, parseAddress } from './address.ts'
import { ABCI_ERRORS } from './errors.ts'

test('default: addresses of TCP and unix sockets are read', () => {
  expect(parseAddress('tcp://127.0.0.1:26658')).toEqual({ kind: 'tcp', host: '127.0.0.1', port: 26658 })
  expect(parseAddress('localhost:1')).toEqual({ kind: 'tcp', host: 'localhost', port: 1 })
  expect(parseAddress('tcp://:26658')).toEqual({ kind: 'tcp', host: '', port: 26658 })
  expect(parseAddress('tcp://[::1]:5')).toEqual({ kind: 'tcp', host: '::1', port: 5 })
  expect(parseAddress('unix:///tmp/a.sock')).toEqual({ kind: 'unix', path: '/tmp/a.sock' })
  expect(parseAddress('unix://a.sock')).toEqual({ kind: 'unix', path: 'a.sock' })
  for (const text of ['tcp://[::1]:5', 'unix:///tmp/a.sock', 'tcp://host:9'])
    expect(formatAddress(parseAddress(text))).toBe(text)
})

test('error: a text that is not an address is refused', () => {
  for (const text of ['', 'kvstore', 'tcp://host', 'tcp://host:99999', 'http://host:1', 'unix://', 'a:b:c'])
    expect(() => parseAddress(text), text).toThrowError(expect.objectContaining({ code: ABCI_ERRORS.badAddress }))
})
