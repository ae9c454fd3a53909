// The modules that are instrumented: the decoders, and the judge of their errors, which must use the same error
// classes.
export { faultOf } from './decoder.ts'
export { DECODERS } from './decoders/index.ts'
