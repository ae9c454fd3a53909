export { BEHAVIOURS, type Behaviour, EXTRA_MESSAGES, FLOODS, FORGERIES } from './behaviours.ts'
export { corrupt } from './corrupt.ts'
