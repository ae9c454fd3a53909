import { DefaultNodeInfo } from '@org/types/p2p'
import { describe, expect, test } from 'vitest'
import { incompatibility, nodeInfoFault } from './node-info.ts'

const INFO = DefaultNodeInfo.create({
  protocolVersion: { p2p: 8n, block: 11n, app: 1n },
  defaultNodeId: 'a'.repeat(40),
  listenAddr: 'tcp://1.2.3.4:26656',
  network: 'here',
  version: '0.38.25',
  channels: Uint8Array.of(0x20, 0x21),
  moniker: 'me',
  other: { txIndex: 'on', rpcAddress: 'tcp://0.0.0.0:26657' },
})

describe('the node info of a node', () => {
  test.each<readonly [string, Partial<DefaultNodeInfo>]>([
    ['the values of a usual node', {}],
    ['no version, no index, no RPC', { version: '', other: { txIndex: '', rpcAddress: '' } }],
    ['a listen address with a host name', { listenAddr: 'node0:26656' }],
    ['16 channels', { channels: Uint8Array.from({ length: 16 }, (_, i) => i) }],
    ['a moniker with spaces', { moniker: 'my node' }],
  ])('default: %s', (_what, change) => {
    expect(nodeInfoFault({ ...INFO, ...change })).toBe(undefined)
  })

  test.each<readonly [string, Partial<DefaultNodeInfo>, RegExp]>([
    ['no id', { defaultNodeId: '' }, /invalid id/],
    ['an id that is too short', { defaultNodeId: 'ab' }, /invalid hex length/],
    ['no address', { listenAddr: '' }, /invalid address/],
    ['an address without a port', { listenAddr: '1.2.3.4' }, /invalid address/],
    ['a port out of range', { listenAddr: '1.2.3.4:65536' }, /out of range/],
    ['a version with a tab', { version: '1\t' }, /info\.Version/],
    ['a version of only blanks', { version: '  ' }, /info\.Version/],
    ['17 channels', { channels: Uint8Array.from({ length: 17 }, (_, i) => i) }, /too long \(17\)/],
    ['a channel twice', { channels: Uint8Array.of(1, 2, 1) }, /duplicate channel id 1/],
    ['no name', { moniker: '' }, /info\.Moniker/],
    ['a moniker of only blanks', { moniker: '   ' }, /info\.Moniker/],
    ['a moniker that is not ASCII', { moniker: 'nöde' }, /info\.Moniker/],
    ['an index that is neither on nor off', { other: { txIndex: 'maybe', rpcAddress: '' } }, /TxIndex/],
    ['an RPC address with a line break', { other: { txIndex: '', rpcAddress: 'tcp://a\n' } }, /RPCAddress/],
  ])('error: %s', (_what, change, fault) => {
    expect(nodeInfoFault({ ...INFO, ...change })).toMatch(fault)
  })
})

describe('the rule for compatible peers', () => {
  test.each<readonly [string, Partial<DefaultNodeInfo>]>([
    ['one channel in common', { channels: Uint8Array.of(0x21, 0x77) }],
    [
      'other versions of the software, of P2P and of the application',
      { version: '1', protocolVersion: { p2p: 9n, block: 11n, app: 7n } },
    ],
  ])('default: %s', (_what, change) => {
    expect(incompatibility(INFO, { ...INFO, ...change })).toBe(undefined)
  })

  test('behavior: a node without channels accepts every peer', () => {
    expect(incompatibility({ ...INFO, channels: new Uint8Array(0) }, { ...INFO, channels: new Uint8Array(0) })).toBe(
      undefined,
    )
  })

  test.each<readonly [string, Partial<DefaultNodeInfo>, RegExp]>([
    [
      'another block protocol',
      { protocolVersion: { p2p: 8n, block: 10n, app: 1n } },
      /different Block version\. Got 10, expected 11/,
    ],
    ['another network', { network: 'there' }, /different network\. Got there, expected here/],
    ['no channel in common', { channels: Uint8Array.of(0x77) }, /no common channels/],
  ])('error: %s', (_what, change, why) => {
    expect(incompatibility(INFO, { ...INFO, ...change })).toMatch(why)
  })
})
