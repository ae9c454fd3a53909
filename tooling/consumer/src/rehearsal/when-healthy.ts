import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a node answers `/health`. Rejects with the text that `ended` returns if the node has ended. */
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
