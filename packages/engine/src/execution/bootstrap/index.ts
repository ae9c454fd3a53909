export { type BootstrapData, type BootstrapModules, bootstrapState } from './bootstrap-state.ts'
export { BOOTSTRAP_ERRORS, BootstrapError, type BootstrapErrorCode } from './errors.ts'
export { mustRestore, type StartHeights } from './must-restore.ts'
export { BOOTSTRAP_STEPS, type BootstrapRecovery, type BootstrapStep } from './steps.ts'
