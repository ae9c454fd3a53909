export { DefaultNodeInfo, DefaultNodeInfoOther, ProtocolVersion } from './node-info.ts'
export { AuthSigMessage, Packet, PacketMsg, PacketPing, PacketPong } from './packets.ts'
export { Message, NetAddress, PexAddrs, PexRequest } from './pex.ts'
