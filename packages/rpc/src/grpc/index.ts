export { listenForGrpc } from './listen.ts'
export type { GrpcServer } from './server.ts'
