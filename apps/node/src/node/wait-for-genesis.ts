import type { Clock, Logger } from '@org/runtime'

/** Waits for the genesis time. The reference waits at this point too, so that all validators begin together. */
export async function waitForGenesis(
  genesisTime: bigint,
  { clock, logger, signal }: { readonly clock: Clock; readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const wait = genesisTime - clock.now()
  if (wait <= 0n) return
  logger.info('Genesis time is in the future. Sleeping until then...', { seconds: Number(wait / 1_000_000_000n) })
  await clock.sleep(Number(wait / 1_000_000n), signal)
}
