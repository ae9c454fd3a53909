const channel = new MessageChannel()
const waiting: (() => void)[] = []
let next = 0

channel.port1.onmessage = () => {
  const run = waiting[next++]
  if (next === waiting.length) {
    waiting.length = 0
    next = 0
  }
  run?.()
}

/**
 * Runs a function in a separate task of the event loop, after the callbacks of all promises that have already settled.
 * Functions run in the order of the calls of `runLater`. No timer is used.
 */
export function runLater(run: () => void): void {
  waiting.push(run)
  channel.port2.postMessage(0)
}
