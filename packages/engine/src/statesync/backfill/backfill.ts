import { type Clock, createLifecycle, type Logger, type Metrics, messageOf, type Service } from '@org/runtime'
import { isEvidenceExpired } from '../../evidence/index.ts'
import type { SignatureChecker } from '../../signatures/index.ts'
import type { BackfilledRange } from '../../store/index.ts'
import type { CheckedBlock } from './check-block.ts'
import { fetchBatch } from './fetch-batch.ts'
import { type BackfillMetrics, createBackfillMetrics } from './metrics.ts'
import { createNeededHeaders, type NeededHeadersModules } from './needed-headers.ts'
import type { BackfillOptions } from './options.ts'
import type { HeaderServer } from './ports.ts'
import { keepRemoving, type RemovalModules } from './remove-expired.ts'
import { nextBatchStart, type OldStores, saveBatch } from './save-batch.ts'
import { createHeaderServers } from './servers.ts'
import { type AwaitedHeaders, createHeaderWaits } from './waits.ts'

export interface BackfillModules
  extends Pick<SignatureChecker, 'findInvalid'>,
    Omit<NeededHeadersModules, 'blockStore'> {
  readonly chainId: string
  readonly servers: readonly HeaderServer[]
  readonly blockStore: NeededHeadersModules['blockStore'] & RemovalModules['blockStore'] & OldStores['blockStore']
  readonly stateStore: RemovalModules['stateStore'] & OldStores['stateStore']
  /** Returns true while block sync fetches new blocks, before consensus begins on this node. */
  readonly isCatchingUp: () => boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/**
 * Fetches the headers, the commits and the validators of the heights below a snapshot, so that evidence about these
 * heights can be verified. Begins with the greatest height, because new evidence is more likely than old evidence. Ends
 * at the first height whose evidence has expired, at the initial height, or at the lowest height that a server has. The
 * stored headers always form one range of heights without a gap. After a restart, the backfill continues below this
 * range. Later, headers whose evidence has expired are removed.
 */
export interface Backfill extends Service, AwaitedHeaders {
  /** Returns true if all headers that evidence may need are stored. */
  readonly isComplete: () => boolean
}

/** Creates a backfill that has not begun. If this home did not begin with a snapshot, the backfill does nothing. */
export function createBackfill(options: BackfillOptions, modules: BackfillModules): Backfill {
  const { chainId, initialHeight, blockStore, latest, clock, logger, findInvalid } = modules
  const life = createLifecycle({
    name: 'the backfill',
    start: () => life.run(run),
    failed: (error) => {
      endFetching()
      logger.error('The backfill has ended with an error', { err: messageOf(error) })
    },
  })
  const servers = createHeaderServers(modules.servers, options, { clock, logger })
  const { isExpired, isWhole, missing } = createNeededHeaders(modules)
  const reports = createReports(modules)
  /** The signal of `fetching` aborts when no further header will be fetched. */
  const fetching = new AbortController()
  if (modules.servers.length === 0) fetching.abort()
  const waits = createHeaderWaits(isAwaited, options, { clock, logger })

  function isAwaited(height: number): boolean {
    const range = fetching.signal.aborted ? undefined : missing()
    return range !== undefined && height < range.lowest && height >= initialHeight
  }

  function endFetching(): void {
    fetching.abort()
    waits.wake()
  }

  /** Fetches and stores one batch of headers. Returns false if no further header can be fetched. */
  async function fill(range: BackfilledRange, signal: AbortSignal): Promise<boolean> {
    const start = nextBatchStart(range, modules)
    if (start === undefined) return false
    const state = latest()
    const isLast = ({ header }: CheckedBlock): boolean => isEvidenceExpired(state, header)
    const context = { options, servers, chainId, findInvalid, isLast, signal }
    const { blocks, isPruned } = await fetchBatch({ ...start, initialHeight }, context)
    if (blocks.length > 0) await saveBatch(blocks, range, modules)
    waits.wake()
    return !isPruned
  }

  /**
   * Fetches batches of headers until no further header is needed or can be fetched. If the disk returns an error,
   * pauses and tries again.
   */
  async function fillAll(signal: AbortSignal): Promise<void> {
    let lineAt = clock.monotonic()
    for (let range = missing(); range !== undefined; range = missing()) {
      reports.stored(range)
      if (clock.monotonic() - lineAt >= options.progressMs) {
        lineAt = clock.monotonic()
        logger.info('Fetching the headers below the snapshot', { ...range })
      }
      let pauseMs = modules.isCatchingUp() ? options.catchUpPauseMs : options.pauseMs
      try {
        if (!(await fill(range, signal))) return
      } catch (error) {
        signal.throwIfAborted()
        pauseMs = options.restMs
        logger.error('Failed to store headers below the snapshot; the node will try again', { err: messageOf(error) })
      }
      if (missing() !== undefined) await clock.sleep(pauseMs, signal)
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const range = blockStore.backfilled()
    if (range === undefined) return
    if (isWhole(range)) {
      reports.stored(range)
    } else if (modules.servers.length === 0) {
      const problem = 'Evidence about heights below the lowest header cannot be verified'
      logger.warn(`${problem}: set statesync.enable and statesync.rpc_servers to fetch the headers`, { ...range })
    } else {
      reports.begun(range)
      await fillAll(signal)
      reports.ended(blockStore.backfilled() ?? range, missing() === undefined)
    }
    // If the chain later increases the maximum age of evidence, more headers are needed. Only the next start of the
    // node fetches them.
    endFetching()
    await keepRemoving(options, { ...modules, isExpired }, signal)
  }

  return {
    start: life.start,
    stop: life.stop,
    isComplete: () => missing() === undefined,
    isAwaited,
    whenStored: waits.whenStored,
  }
}

/** Creates the reports of a backfill to the log and to the metrics. */
function createReports({
  initialHeight,
  latest,
  logger,
  metrics,
}: Pick<BackfillModules, 'initialHeight' | 'latest' | 'logger' | 'metrics'>) {
  // The metrics are created when they are first used. A node that did not begin with a snapshot never creates them.
  let made: BackfillMetrics | undefined
  const gauges = (): BackfillMetrics => {
    made ??= createBackfillMetrics(metrics)
    return made
  }
  const count = ({ snapshot, lowest }: BackfilledRange): number => snapshot + 1 - lowest

  return {
    stored: (range: BackfilledRange): void => gauges().stored(count(range)),
    begun: (range: BackfilledRange): void => {
      const { maxAgeNumBlocks } = latest().consensusParams.evidence
      gauges().needed(Math.min(Number(maxAgeNumBlocks), range.snapshot + 1 - initialHeight))
      gauges().stored(count(range))
      logger.info('Fetching the headers below the snapshot, because evidence may need them', { ...range })
    },
    ended: (range: BackfilledRange, isWhole: boolean): void => {
      gauges().stored(count(range))
      if (isWhole) {
        gauges().needed(count(range))
        logger.info('All headers below the snapshot that evidence may need are stored', { ...range })
      } else {
        const problem = 'No RPC server has lower headers, so evidence about lower heights cannot be verified'
        logger.warn(problem, { ...range })
      }
    },
  }
}
