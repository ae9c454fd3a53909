export { checkFolderUnused, checkHomeUnused, type HomeLock, lockHome } from './lock-home.ts'
