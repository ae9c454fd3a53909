export { type Cleanups, createCleanups } from './cleanups.ts'
export {
  createLifecycle,
  LIFECYCLE_ERRORS,
  type Lifecycle,
  LifecycleError,
  type LifecycleSteps,
  type ServiceStatus,
} from './lifecycle.ts'
export type { Service } from './service.ts'
export { createServiceGroup, type ServicePart } from './service-group.ts'
export { createTasks, type Tasks } from './tasks.ts'
