import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent, freePort } from '@org/golden'
import { cachedChain } from '../chain-cache.ts'
import { LIGHT_CHAIN_ID, lightChainDigest, openLightChain } from '../light/light-chain.ts'
import type { LightServer, LightServerReady } from '../light/serve-light-chain.ts'
import type { Subject } from '../subject.ts'
import type { Measurement, Workload, WorkloadContext } from './workload.ts'

const SERVER = new URL('../light/serve-light-chain.ts', import.meta.url).pathname
const LATEST = 100_000
const SEQUENCE = 10_000
/** The height that the first client, which is not measured, verifies in the workload `light-sequential`. */
const WARM_UP = 200
/** The maximum time that a light client may need to verify one height, in milliseconds. */
const TIMEOUT_MS = 600_000
/** The name of the file with the signatures, in the folder of the cached chain. */
const SIGNATURES = 'signatures'
/**
 * The trusting period of ten years. The times of the chain never change, so the first header becomes older with each
 * run.
 */
const TRUSTING_PERIOD = '87600h0m0s'

async function startServer(options: LightServer): Promise<LightServerReady & { readonly stop: () => void }> {
  const child = spawn(process.execPath, [SERVER, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithParent(child)
  const ended = once(child, 'exit').then(() => {
    throw new Error('the server of the made chain ended')
  })
  ended.catch(() => undefined)
  const [line] = await Promise.race([once(child.stdout, 'data') as Promise<[Buffer]>, ended])
  return { ...(JSON.parse(line.toString()) as LightServerReady), stop: () => void child.kill('SIGKILL') }
}

/**
 * Asks the proxy of a light client for a verified commit, and resolves when the proxy returns the commit. If the
 * verification takes more than ten seconds, the reference closes the connection without an answer. A second request
 * is then answered from the store of the proxy.
 */
async function verifiedCommit(port: number, height: number): Promise<void> {
  const stop = performance.now() + TIMEOUT_MS
  for (;;) {
    const text = await fetch(`http://127.0.0.1:${port}/commit?height=${height}`).then(
      (answer) => answer.text(),
      () => '',
    )
    if (text.includes('"signed_header"')) return
    if (performance.now() > stop) throw new Error(`the light client did not verify height ${height}: ${text}`)
    await sleep(20)
  }
}

interface Proxy {
  readonly server: LightServerReady
  readonly home: string
  readonly flags?: readonly string[]
}

/**
 * Starts a new light client that trusts height 1. Returns the milliseconds that the client needs to verify `height`.
 */
async function timeFor(subject: Subject, height: number, { server, home, flags = [] }: Proxy): Promise<number> {
  await mkdir(home)
  const port = await freePort()
  const node = `http://127.0.0.1:${server.port}`
  const child = spawn(
    subject.binary,
    [
      ...['light', LIGHT_CHAIN_ID, '--laddr', `tcp://127.0.0.1:${port}`, '--home-dir', home, '--log_level', 'error'],
      ...['--primary', node, '--witnesses', node, '--height', '1', '--hash', server.hash],
      ...['--trusting-period', TRUSTING_PERIOD, ...flags],
    ],
    { stdio: 'ignore' },
  )
  endWithParent(child)
  const ended = once(child, 'exit')
  try {
    await verifiedCommit(port, 1)
    const start = performance.now()
    await verifiedCommit(port, height)
    return performance.now() - start
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/**
 * Returns the path of the file with the signatures. The file is made once for all runs. It begins with the signatures
 * of the first `headers` headers. The server signs further headers when a client requests them. A client skips most
 * headers, so there are few such requests.
 */
async function signaturesFile(headers: number): Promise<string> {
  const folder = await cachedChain({
    name: 'light-chain',
    parameters: { headers, digest: lightChainDigest() },
    sources: [new URL('../light/light-chain.ts', import.meta.url)],
    make: async (made) => {
      const chain = await openLightChain(join(made, SIGNATURES))
      for (let height = 1; height <= headers; height++) await chain.signaturesAt(height)
      await chain.close()
    },
  })
  return join(folder, SIGNATURES)
}

interface Task {
  /** The height of the chain. */
  readonly latest: number
  /** The height that the first client verifies. This client is not measured. */
  readonly first: number
  /** The number of headers that are signed before the server starts. */
  readonly signed: number
  readonly flags?: readonly string[]
}

/**
 * Measures how long a light client needs to verify the height `latest`. Another client runs first and is not
 * measured. It makes the server compile its code and sign missing headers.
 */
async function measure(
  { subject, directory }: Pick<WorkloadContext, 'subject' | 'directory'>,
  { latest, first, signed, flags = [] }: Task,
): Promise<number> {
  const server = await startServer({ latest, file: await signaturesFile(signed) })
  try {
    await timeFor(subject, first, { server, home: join(directory, 'first'), flags })
    return await timeFor(subject, latest, { server, home: join(directory, 'second'), flags })
  } finally {
    server.stop()
  }
}

export const lightSkipping: Workload = {
  name: 'light-skipping',
  about:
    'a light client verifies height 100,000 from height 1; 150 validators, a third of them replaced each 1,000 heights',
  run: async (context) => {
    const latest = context.smoke ? LATEST / 20 : LATEST
    const value = await measure(context, { latest, first: latest, signed: 1 })
    return [{ metric: `light client, 1 → ${latest.toLocaleString('en')} by skipping`, value, unit: 'ms' }]
  },
}

export const lightSequential: Workload = {
  name: 'light-sequential',
  about: 'a light client verifies 10,000 headers one after the other; 150 validators',
  run: async (context) => {
    const count = context.smoke ? SEQUENCE / 100 : SEQUENCE
    const latest = count + 1
    const task = { latest, first: Math.min(latest, WARM_UP), signed: latest, flags: ['--sequential'] }
    const ms = await measure(context, task)
    const metric = `light client, ${count.toLocaleString('en')} headers in sequence`
    return [{ metric, value: (count * 1000) / ms, unit: '/s' }] satisfies Measurement[]
  },
}
