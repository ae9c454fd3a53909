import { field, hexBytes, type Infer, message, string, uint64 } from '../schema/index.ts'

/** The versions of the protocols that a node speaks. */
export const ProtocolVersion = message('tendermint.p2p.ProtocolVersion', {
  p2p: field(1, uint64, { json: 'p2p' }),
  block: field(2, uint64),
  app: field(3, uint64),
})
export type ProtocolVersion = Infer<typeof ProtocolVersion>

/** The part of the node info about the transaction index (`on` or `off`) and the address of the RPC. */
export const DefaultNodeInfoOther = message('tendermint.p2p.DefaultNodeInfoOther', {
  txIndex: field(1, string),
  rpcAddress: field(2, string),
})
export type DefaultNodeInfoOther = Infer<typeof DefaultNodeInfoOther>

/**
 * tendermint.p2p.DefaultNodeInfo: the data with which a node introduces itself to a peer. `channels` has one byte per
 * channel.
 */
export const DefaultNodeInfo = message('tendermint.p2p.DefaultNodeInfo', {
  protocolVersion: field(1, ProtocolVersion),
  defaultNodeId: field(2, string, { json: 'id' }),
  listenAddr: field(3, string),
  network: field(4, string),
  version: field(5, string),
  channels: field(6, hexBytes),
  moniker: field(7, string),
  other: field(8, DefaultNodeInfoOther),
})
export type DefaultNodeInfo = Infer<typeof DefaultNodeInfo>
