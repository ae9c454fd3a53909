export { BEHAVIOURS, type Behaviour, FORGERIES, PESTERING } from './behaviours.ts'
export { corrupt } from './corrupt.ts'
