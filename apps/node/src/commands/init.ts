import type { CommandContext } from '../context.ts'
import { initHome } from '../home/init-home.ts'
import { openHome } from '../home/open-home.ts'

export async function init(context: CommandContext): Promise<number> {
  const { paths, logger, flush } = openHome(context, { create: true })
  await initHome(paths, { logger, random: context.random, now: context.clock.now() })
  flush()
  return 0
}
