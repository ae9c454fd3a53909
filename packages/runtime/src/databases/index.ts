export { type ClosableDatabase, createEmptiedClose, type EmptiedClose } from './emptied-close.ts'
