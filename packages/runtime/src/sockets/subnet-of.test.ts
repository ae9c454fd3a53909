import { expect, test } from 'vitest'
import { subnetOf } from './subnet-of.ts'

test('behavior: the addresses of an IPv6 /64 network have one group', () => {
  expect(subnetOf('[2001:db8:1:2::1]:5')).toBe(subnetOf('[2001:db8:1:2:ffff::9]:7'))
  expect(subnetOf('2001:db8:1:2::1:5')).toBe(subnetOf('[2001:db8:1:2:ffff::9]:7'))
  expect(subnetOf('[2001:db8:1:3::1]:5')).not.toBe(subnetOf('[2001:db8:1:2::1]:5'))
  expect(subnetOf('[::ffff:1.2.3.4]:5')).toBe('1.2.3.4')
  expect(subnetOf('1.2.3.4:5')).toBe('1.2.3.4')
})
