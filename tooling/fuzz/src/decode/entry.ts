// The code that is instrumented: the decoders, and the function that judges their errors. The function must be in the
// same bundle, because it compares the errors with classes of the bundle.
export { faultOf } from './decoder.ts'
export { DECODERS } from './decoders/index.ts'
