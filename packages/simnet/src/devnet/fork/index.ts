export { disguised } from './disguise.ts'
export { forkOrigin, type StoppedHome } from './fork-origin.ts'
