export { type Applications, type ChainTarget, localApplications } from './applications.ts'
export type { RememberedState } from './remembered-state.ts'
export { connectApplications, type RemoteApplicationsOptions } from './remote-applications.ts'
