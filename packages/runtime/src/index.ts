export {
  createSharedCalls,
  type JoinedSignal,
  joinSignals,
  type SharedCall,
  type TimeLimit,
  unlessAborted,
  withTimeLimit,
} from './abort/index.ts'
export { createSemaphore, dropOldest, oldestOfLargestGroup, type Semaphore } from './bounds/index.ts'
export { type Budget, type BudgetOptions, createBudget } from './budget/index.ts'
export {
  type Clock,
  createSystemClock,
  createVirtualClock,
  repeat,
  sleepOn,
  type Timer,
  type VirtualClock,
} from './clock/index.ts'
export { createDeferred, type Deferred, loadOnce } from './deferred/index.ts'
export { CodedError, isCodedError, messageOf } from './errors/index.ts'
export { createLane, type Lane } from './lane/index.ts'
export {
  type Cleanups,
  createCleanups,
  createLifecycle,
  createServiceGroup,
  createTasks,
  LIFECYCLE_ERRORS,
  type Lifecycle,
  LifecycleError,
  type LifecycleSteps,
  type Service,
  type ServicePart,
  type ServiceStatus,
  type Tasks,
} from './lifecycle/index.ts'
export { createListeners, type Listeners } from './listeners/index.ts'
export { escapeControls, escapeControlsInLines, type LogFields, type Logger, noopLogger } from './logging/index.ts'
export {
  type Counter,
  type Gauge,
  type Histogram,
  type MetricDefinition,
  type Metrics,
  noopMetrics,
} from './metrics/index.ts'
export { createSeededRandom, createSystemRandom, type Random } from './random/index.ts'
export { type Held, joinSizes, type Sizes } from './sizes/index.ts'
export { createTurns, nextTurn, oncePerTurn, type Turns } from './turns/index.ts'
