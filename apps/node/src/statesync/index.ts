export { createHeaderServers } from './header-servers.ts'
export { restoreBySnapshot } from './restore-by-snapshot.ts'
