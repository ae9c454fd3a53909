export type { ByteTransport, TransportHandlers } from './byte-transport.ts'
export { TRANSPORT_ERRORS, TransportError } from './errors.ts'
export { memoryTransportPair } from './memory.ts'
export { dialTcp, listenTcp, type TcpListener, tcpTransport } from './tcp.ts'
