export { DefaultNodeInfo, DefaultNodeInfoOther, ProtocolVersion } from './node-info.ts'
export { AuthSigMessage, Packet, PacketMsg, PacketPing, PacketPong } from './packets.ts'
export { NetAddress, PexAddrs, PexMessage, PexRequest } from './pex.ts'
