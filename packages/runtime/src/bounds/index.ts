export { dropOldest } from './drop-oldest.ts'
export { createPlaces, type Places } from './places.ts'
