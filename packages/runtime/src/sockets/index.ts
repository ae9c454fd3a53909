export { listenOnPath } from './listen-on-path.ts'
export { clearStaleSocket } from './stale-socket.ts'
