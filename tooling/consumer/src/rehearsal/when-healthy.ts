import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a node answers `/health`. If the node has ended, rejects with the text that `ended` returns. */
export async function whenHealthy(url: string, ended: () => string | undefined): Promise<void> {
  for (let answered = false; !answered; await sleep(50)) {
    const reason = ended()
    if (reason !== undefined) throw new Error(reason)
    answered = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
}
