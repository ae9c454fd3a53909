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

/** Runs something in a task of its own, after all promises that can settle. Tasks keep their order. No timer slows it. */
export function runLater(run: () => void): void {
  waiting.push(run)
  channel.port2.postMessage(0)
}
