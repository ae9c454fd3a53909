export { forkOrigin, type StoppedHome } from './fork-origin.ts'
export { withOriginalValidators } from './original-validators.ts'
