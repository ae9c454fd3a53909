import { bytesToHex, hexToBytes } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { sessionKeyPair } from './keys.ts'

/**
 * The reference's test vectors (p2p/conn/testdata). Each vector has four values: the shared secret, `true` if the local
 * ephemeral key is less than the ephemeral key of the other side, the key for receiving, and the key for sending.
 */
const VECTORS = [
  [
    '9fe4a5a73df12dbd8659b1d9280873fe993caefec6b0ebc2686dd65027148e03',
    true,
    '80a83ad6afcb6f8175192e41973aed31dd75e3c106f813d986d9567a4865eb2f',
    '96362a04f628a0666d9866147326898bb0847b8db8680263ad19e6336d4eed9e',
  ],
  [
    '0716764b370d543fee692af03832c16410f0a56e4ddb79604ea093b10bb6f654',
    false,
    '84f2b1e8658456529a2c324f46c3406c3c6fecd5fbbf9169f60bed8956a8b03d',
    'cba357ae33d7234520d5742102a2a6cdb39b7db59c14a58fa8aadd310127630f',
  ],
  [
    '358dd73aae2c5b7b94b57f950408a3c681e748777ecab2063c8ca51a63588fa8',
    false,
    'c2e2f664c8ee561af8e1e30553373be4ae23edecc8c6bd762d44b2afb7f2a037',
    'd1563f428ac1c023c15d8082b2503157fe9ecbde4fb3493edd69ebc299b4970c',
  ],
  [
    '0958308bdb583e639dd399a98cd21077d834b4b5e30771275a5a73a62efcc7e0',
    false,
    '523c0ae97039173566f7ab4b8f271d8d78feef5a432d618e58ced4f80f7c1696',
    'c1b743401c6e4508e62b8245ea7c3252bbad082e10af10e80608084d63877977',
  ],
  [
    'd93d134e72f58f177642ac30f36b2d3cd4720aa7e60feb1296411a9009cf4524',
    false,
    '47a427bcc1ef6f0ce31dbf343bc8bbf49554b4dd1e2330fd97d0df23ecdbba10',
    '73e23adb7801179349ecf9c8cdf64d71d64a9f1145ba6730e5d029f99eaf8840',
  ],
  [
    '6104474c791cda24d952b356fb41a5d273c0ce6cc87d270b1701d0523cd5aa13',
    true,
    '1cb4397b9e478430321af4647da2ccbef62ff8888542d31cca3f626766c8080f',
    '673b23318826bd31ad1a4995c6e5095c4b092f5598aa0a96381a3e977bc0eaf9',
  ],
  [
    '8a6002503c15cab763e27c53fc449f6854a210c95cdd67e4466b0f2cb46b629c',
    false,
    'f01ff06aef356c87f8d2646ff9ed8b855497c2ca00ea330661d84ef421a67e63',
    '4f59bb23090010614877265a1597f1a142fa97b7208e1d554435763505f36f6a',
  ],
  [
    '31a57c6b1fe33beb1f7ebbbfc06d58c4f307cd355b6f9753e58f3edec16c7559',
    false,
    '13e126c4cb240349dccf0dc843977671d34a1daffd0517d06ed66b703344db22',
    'd491431906a306af45ecf9f1977e32d7f65a79f5139f931760416de27554b687',
  ],
] as const

test.each(VECTORS)("default: the reference's keys for %s", (secret, isLeast, receiveKey, sendKey) => {
  const keys = sessionKeyPair(hexToBytes(secret) as Uint8Array, isLeast)
  expect(bytesToHex(keys.receiveKey).toLowerCase()).toBe(receiveKey)
  expect(bytesToHex(keys.sendKey).toLowerCase()).toBe(sendKey)
})
