import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  createSender,
  differences,
  type Exchange,
  findProgram,
  freePort,
  recordingLines,
  recordingText,
  type Sender,
  startNodeProcess,
  unpackHome,
} from '@org/golden'
import { anyEvidence, anyExchange, anyLike } from '@org/golden/questions'
import { ROUTES } from '@org/rpc'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname
const cometbft = findProgram('cometbft', 'generated questions to both nodes on copies of one home')

/** How many questions; a larger number finds more, and takes longer. */
const RUNS = Number(process.env.RPC_INTEROP_RUNS ?? 3000)
/** Another seed asks other questions. */
const SEED = Number(process.env.RPC_INTEROP_SEED ?? 1)

/**
 * Answers that show a clock or a connection cannot be compared, and neither can those that wait for a block or do not
 * end.
 */
const INCOMPARABLE =
  /^(broadcast_tx_commit|broadcast_tx_async|dial|unsafe|consensus_state|dump|status|net_info|subscribe|unsubscribe)/

interface Asked extends AsyncDisposable {
  readonly sender: Sender
}

/** A node on a copy of the recorded home, with a key that is no validator's: the node looks for peers, and the chain stands still. */
async function open(binary: string, ...args: readonly string[]): Promise<Asked> {
  const home = await mkdtemp(join(tmpdir(), 'halley-questions-'))
  await unpackHome('kvstore-single/home.tar.gz', home)
  for (const file of ['config/priv_validator_key.json', 'data/priv_validator_state.json']) {
    await writeFile(join(home, file), recordingText(`kvstore-single/halted-${basename(file)}`))
  }
  const [port, p2pPort] = [await freePort(), await freePort()]
  const node = startNodeProcess({
    binary,
    args: [
      ...[
        'start',
        '--home',
        '.',
        '--rpc.laddr',
        `tcp://127.0.0.1:${port}`,
        '--p2p.laddr',
        `tcp://127.0.0.1:${p2pPort}`,
      ],
      ...args,
    ],
    home,
    rpcPort: port,
    logFile: join(home, 'node.log'),
  })
  const close = async (): Promise<void> => {
    await node.stop()
    await rm(home, { recursive: true, force: true })
  }
  try {
    await node.ready()
  } catch (error) {
    await close()
    throw error
  }
  const sender = createSender(port, 'h')
  return {
    sender,
    [Symbol.asyncDispose]: async () => {
      sender.close()
      await close()
    },
  }
}

const routes = Object.values(ROUTES).filter(({ name }) => !INCOMPARABLE.test(name))
const isComparable = ({ request: { path, body } }: Exchange): boolean =>
  path?.startsWith('/') === true &&
  !INCOMPARABLE.test(path.slice(1)) &&
  (body === undefined || (typeof body === 'string' && routes.some(({ name }) => body.includes(`"${name}"`))))
const recorded = recordingLines<Exchange>('kvstore-single/answers.jsonl').filter(isComparable)

const anyQuestion = fc.oneof(
  { weight: 5, arbitrary: anyExchange(routes) },
  { weight: 4, arbitrary: anyLike(recorded) },
  { weight: 1, arbitrary: anyEvidence() },
)

test.skipIf(cometbft === undefined)(
  'behavior: Halley and the Go node on copies of one home answer generated questions alike',
  async () => {
    await using theirs = await open(cometbft as string, '--proxy_app=kvstore')
    await using ours = await open(join(root, 'apps/node/bin/halley'), '--proxy_app=kvstore-v0.38', '--rpc.strict=true')
    for (const exchange of fc.sample(anyQuestion, { numRuns: RUNS, seed: SEED })) {
      const [wanted, got] = await Promise.all([theirs, ours].map(({ sender }) => sender.send(exchange)))
      // Answers to HEAD have no body that would show why they differ.
      if (exchange.request.method === 'HEAD') continue
      const [first] = differences(wanted, got)
      if (first !== undefined)
        expect({ exchange, answers: [wanted, got].map((answer) => JSON.stringify(answer)), ...first }).toBeUndefined()
    }
  },
  150_000,
)
