import type { Monitor } from './monitor.ts'

const ignore = (): void => undefined

/** Returns a monitor that checks and records nothing. It is for chains that may run for any length of time. */
export function createNoopMonitor(): Monitor {
  return {
    record: {
      at: ignore as () => undefined,
      height: () => 0,
      heightOfTx: ignore as () => undefined,
      heightOfEvidence: ignore as () => undefined,
      addBlock: ignore,
    },
    violations: () => [],
    counts: () => ({}),
    ...{ violate: ignore, submitted: ignore, distrust: ignore, looked: ignore, sent: ignore, answered: ignore },
    ...{ received: ignore, verified: ignore, rejected: ignore, peerEvent: ignore, expectHalt: ignore, halted: ignore },
    ...{ started: ignore, crashed: ignore, conclude: () => Promise.resolve() },
  }
}
