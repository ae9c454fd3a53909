import { expect, test } from 'vitest'
import { canonicalIp, parseHostPort } from './net-address.ts'

test.each([
  ['1.2.3.4', '1.2.3.4'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:102:304', '1.2.3.4'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['fe80::1%eth0', undefined],
  ['1.2.3', undefined],
  ['01.2.3.4', undefined],
  ['node0', undefined],
  ['', undefined],
])('default: %s is written as %s', (text, canonical) => {
  expect(canonicalIp(text)).toBe(canonical)
})

test('behavior: an IPv4 address in the form of a dual-stack socket becomes the IPv4 address', () => {
  expect(parseHostPort('[::ffff:127.0.0.1]:5')).toEqual({ host: '127.0.0.1', port: 5 })
  expect(parseHostPort('tcp://[2001:0db8::1]:5')).toEqual({ host: '2001:db8::1', port: 5 })
})
