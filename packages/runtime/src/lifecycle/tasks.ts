/** Tasks that run at the same time. A component waits for their end before it releases its resources. */
export interface Tasks {
  /** Adds a task that runs already. `failed` is called with the error if the task rejects. */
  readonly add: (task: Promise<void>, failed: (error: unknown) => void) => void
  /** Resolves when no task is running. Waits also for the tasks that are added in the meantime. */
  readonly idle: () => Promise<void>
  /** The number of running tasks. */
  readonly size: () => number
}

/** Creates an empty set of tasks. */
export function createTasks(): Tasks {
  const running = new Set<Promise<void>>()
  return {
    add: (task, failed) => {
      const ended = task.catch(failed).finally(() => {
        running.delete(ended)
      })
      running.add(ended)
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
    size: () => running.size,
  }
}
