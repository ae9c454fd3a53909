export { joinSizes, type Sizes } from './sizes.ts'
