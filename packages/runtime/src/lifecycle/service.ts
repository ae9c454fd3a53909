/**
 * A component that runs. `start` may be called once. `stop` may be called any number of times, also before or during
 * `start`.
 */
export interface Service {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}
