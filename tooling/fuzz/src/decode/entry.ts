// The modules that the fuzzer loads with a call at each branch: the decoders, and the judge of their errors, which must be of the same classes.
export { faultOf } from './decoder.ts'
export { DECODERS } from './decoders/index.ts'
