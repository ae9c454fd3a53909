export { BEHAVIOURS, type Behaviour } from './behaviours.ts'
export { corrupt } from './corrupt.ts'
