export { clearStaleSocket } from './stale-socket.ts'
