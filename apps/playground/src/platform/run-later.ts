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

/** Runs a function in a separate task, after all promises that can settle. Keeps the order of calls, and uses no timer. */
export function runLater(run: () => void): void {
  waiting.push(run)
  channel.port2.postMessage(0)
}
