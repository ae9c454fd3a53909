import { freePort } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { FAST, makeHome, startNode } from './support/node.ts'
import { findCometbft, launch, temporaryFolder } from './support/process.ts'

const cometbft = findCometbft() ?? ''

/** Returns the description of each metric: its help, type, labels and, for a histogram, its buckets. */
function described(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, kind, name, help] = /^# (HELP|TYPE) (cometbft_\w+) (.*)$/.exec(line) ?? []
    if (name !== undefined) found.set(`${kind} ${name}`, help ?? '')
    const [, series, labels] = /^(cometbft_\w+)\{(.*)\} /.exec(line) ?? []
    if (series === undefined || labels === undefined) continue
    const names =
      labels
        .match(/\w+(?==")/g)
        ?.sort()
        .join() ?? ''
    found.set(`LABELS ${series}`, names)
    const step = /\bstep="(\w+)"/.exec(labels)?.[1]
    if (step !== undefined) found.set(`STEP ${series} ${step}`, '')
    const bucket = /\ble="([^"]+)"/.exec(labels)?.[1]
    if (bucket !== undefined) found.set(`BUCKET ${series} ${Number(bucket.replace('+Inf', 'Infinity'))}`, '')
  }
  return found
}

async function metricsOf(port: number): Promise<ReadonlyMap<string, string>> {
  return described(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
}

const flags = (port: number): readonly string[] => [
  '--instrumentation.prometheus',
  `--instrumentation.prometheus_listen_addr=127.0.0.1:${port}`,
]

const LATE = [
  'LABELS cometbft_consensus_quorum_prevote_delay',
  'STEP cometbft_consensus_step_duration_seconds_count NewRound',
]

describe.skipIf(cometbft === '')('metrics beside the reference (skipped without a cometbft on PATH)', () => {
  test('default: Halley has every metric of the reference, with its help, type, labels and buckets', async () => {
    const [ourPort, theirPort, rpc, p2p] = [await freePort(), await freePort(), await freePort(), await freePort()]
    const home = await makeHome(temporaryFolder())
    const ours = await startNode(home, '--proxy_app=kvstore', ...FAST, ...flags(ourPort))
    await ours.ask('/broadcast_tx_commit?tx="a=b"')
    const other = await makeHome(temporaryFolder())
    const theirs = launch(
      cometbft,
      [
        ...['start', '--home', other, '--proxy_app=kvstore', '--consensus.create_empty_blocks_interval=0s'],
        ...[`--rpc.laddr=tcp://127.0.0.1:${rpc}`, `--p2p.laddr=tcp://127.0.0.1:${p2p}`],
      ],
      { CMT_INSTRUMENTATION_PROMETHEUS: 'true', CMT_INSTRUMENTATION_PROMETHEUS_LISTEN_ADDR: `127.0.0.1:${theirPort}` },
    )
    await theirs.saw('Started node')
    await fetch(`http://127.0.0.1:${rpc}/broadcast_tx_commit?tx="a=b"`)
    // Some metrics, such as the steps of the next height, may get their first value only after the answer to
    // `broadcast_tx_commit`. So the test waits for them.
    let theirMetrics: ReadonlyMap<string, string> = new Map()
    const seen = async (): Promise<readonly string[]> => {
      theirMetrics = await metricsOf(theirPort)
      return [...theirMetrics.keys()]
    }
    await expect.poll(seen, { timeout: 10_000 }).toEqual(expect.arrayContaining(LATE))
    await theirs.stop()

    expect(theirMetrics.size).toBeGreaterThan(60)
    const expected = Object.fromEntries(theirMetrics)
    await expect
      .poll(
        async () => {
          const ourMetrics = await metricsOf(ourPort)
          return Object.fromEntries([...theirMetrics.keys()].map((key) => [key, ourMetrics.get(key)]))
        },
        { timeout: 10_000 },
      )
      .toEqual(expected)
    await ours.stop()
  })
})
