export { type Held, joinSizes, type Sizes } from './sizes.ts'
