export { checkHomeUnused, type HomeLock, lockHome } from './lock-home.ts'
