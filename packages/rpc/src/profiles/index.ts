export { type Choice, chosenProfile, PROFILE_NAMES, profileOf } from './choose.ts'
export type { Profile } from './profile.ts'
export { referenceProfile } from './reference.ts'
