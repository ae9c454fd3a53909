export { validateLightBlockBasic, validateSignedHeaderBasic } from './validate.ts'
export { LightBlock, SignedHeader } from './wire.ts'
