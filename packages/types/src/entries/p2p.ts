/** `@org/types/p2p`: the messages of a connection between peers, of its handshake, and of the exchange of addresses. */
export {
  AuthSigMessage,
  DefaultNodeInfo,
  DefaultNodeInfoOther,
  NetAddress,
  Packet,
  PacketMsg,
  PacketPing,
  PacketPong,
  PexAddrs,
  PexMessage,
  PexRequest,
  ProtocolVersion,
} from '../p2p/index.ts'
