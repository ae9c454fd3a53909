export { BEHAVIOURS, type Behaviour, FLOODS, FORGERIES, PESTERING } from './behaviours.ts'
export { corrupt } from './corrupt.ts'
