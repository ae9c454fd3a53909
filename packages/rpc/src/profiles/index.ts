export type { Profile } from '../call/profile.ts'
export { type Choice, chosenProfile, PROFILE_NAMES, profileOf } from './choose.ts'
export { referenceProfile } from './reference.ts'
