import { describe, expect, test } from 'vitest'
import { checkPeerAddress, checkPeerIds } from './peer-address.ts'

const ID = '0123456789abcdef0123456789ABCDEF01234567'

describe('peer addresses', () => {
  test('default: accepts valid addresses', () => {
    for (const address of [`${ID}@127.0.0.1:26656`, `tcp://${ID}@host.example:0`, `${ID}@[::1]:65535`]) {
      expect(() => checkPeerAddress(address)).not.toThrow()
    }
    expect(() => checkPeerIds([ID])).not.toThrow()
  })

  test.each([
    ['127.0.0.1:1', 'address (127.0.0.1:1) does not contain ID'],
    ['a@b@c:1', 'address (a@b@c:1) does not contain ID'],
    ['@127.0.0.1:1', 'invalid address (@127.0.0.1:1): no ID'],
    ['xyz@127.0.0.1:1', "invalid address (xyz@127.0.0.1:1): encoding/hex: invalid byte: U+0078 'x'"],
    ['abc@127.0.0.1:1', 'invalid address (abc@127.0.0.1:1): encoding/hex: odd length hex string'],
    ['ab@127.0.0.1:1', 'invalid address (ab@127.0.0.1:1): invalid hex length - got 1, expected 20'],
    [`${ID}@127.0.0.1`, 'invalid address (127.0.0.1): address 127.0.0.1: missing port in address'],
    [`${ID}@::1:1`, 'invalid address (::1:1): address ::1:1: too many colons in address'],
    [`${ID}@:1`, 'invalid address (:1): host is empty'],
    [`${ID}@h:x`, 'invalid address (x): strconv.ParseUint: parsing "x": invalid syntax'],
    [`${ID}@h:70000`, 'invalid address (70000): strconv.ParseUint: parsing "70000": value out of range'],
  ])('error: %s', (address, message) => {
    expect(() => checkPeerAddress(address)).toThrow(message)
  })

  test('error: the error for a wrong ID names its position', () => {
    expect(() => checkPeerIds([ID, 'xyz'])).toThrow("wrong ID #1: encoding/hex: invalid byte: U+0078 'x'")
  })
})
