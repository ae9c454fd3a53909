import { field, type Infer, message, oneof, repeated, string, uint32, when } from '../schema/index.ts'

/** tendermint.p2p.NetAddress: the id, IP address and port of a node. */
export const NetAddress = message('tendermint.p2p.NetAddress', {
  id: field(1, string),
  ip: field(2, string),
  port: field(3, uint32),
})
export type NetAddress = Infer<typeof NetAddress>

/** A request for addresses of peers. */
export const PexRequest = message('tendermint.p2p.PexRequest', {})
export type PexRequest = Infer<typeof PexRequest>

/** The answer with addresses of peers. */
export const PexAddrs = message('tendermint.p2p.PexAddrs', { addrs: repeated(1, NetAddress) })
export type PexAddrs = Infer<typeof PexAddrs>

/** A message of the peer-exchange channel (0x00). */
export const PexMessage = message('tendermint.p2p.Message', {
  sum: oneof({
    pexRequest: when(1, PexRequest),
    pexAddrs: when(2, PexAddrs),
  }),
})
export type PexMessage = Infer<typeof PexMessage>
