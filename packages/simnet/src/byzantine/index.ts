export { BEHAVIOURS, type Behaviour, FORGERIES } from './behaviours.ts'
export { corrupt } from './corrupt.ts'
