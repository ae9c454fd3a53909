export { listenOnPath } from './listen-on-path.ts'
export { clearStaleSocket } from './stale-socket.ts'
export { subnetOf } from './subnet-of.ts'
