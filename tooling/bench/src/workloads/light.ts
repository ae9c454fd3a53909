import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent, freePort } from '@org/golden'
import { LIGHT_CHAIN_ID } from '../light/light-chain.ts'
import type { LightServer, LightServerReady } from '../light/serve-light-chain.ts'
import type { Subject } from '../subject.ts'
import type { Measurement, Workload } from './workload.ts'

const SERVER = new URL('../light/serve-light-chain.ts', import.meta.url).pathname
const LATEST = 100_000
const SEQUENCE = 10_000
/** The most time that a light client may need for one height. */
const TIMEOUT_MS = 600_000
/** The blocks are one second apart, and the first one must be within the trusting period of a week. */
const AGE_SECONDS = 2 * LATEST

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
 * Asks a proxy for a verified commit, and resolves when the proxy has it. If an answer takes more than ten seconds, the
 * reference closes the connection when the work is done. A second request is then answered from its store.
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

/** Starts a new light client that trusts height 1, and returns the milliseconds that it needs for another height. */
async function timeFor(subject: Subject, height: number, { server, home, flags = [] }: Proxy): Promise<number> {
  await mkdir(home)
  const port = await freePort()
  const node = `http://127.0.0.1:${server.port}`
  const child = spawn(
    subject.binary,
    [
      ...['light', LIGHT_CHAIN_ID, '--laddr', `tcp://127.0.0.1:${port}`, '--home-dir', home, '--log_level', 'error'],
      ...['--primary', node, '--witnesses', node, '--height', '1', '--hash', server.hash, ...flags],
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

/** The chain has the same start time in all rounds, so that signatures are made once. */
const startTime = Math.floor(Date.now() / 1000) - AGE_SECONDS

const chainFile = (directory: string): string => join(dirname(directory), 'light-chain.signatures')

export const lightSkipping: Workload = {
  name: 'light-skipping',
  about: 'a light client verifies height 100,000 from height 1; 150 validators, a third replaced each 1,000 heights',
  run: async ({ subject, directory, smoke }) => {
    const latest = smoke ? LATEST / 20 : LATEST
    const server = await startServer({ latest, file: chainFile(directory), startTime, prepared: 1 })
    try {
      // The first client causes the server to sign the heights that all clients request.
      await timeFor(subject, latest, { server, home: join(directory, 'first') })
      const value = await timeFor(subject, latest, { server, home: join(directory, 'second') })
      return [{ metric: `light client, 1 → ${latest.toLocaleString('en')} by skipping`, value, unit: 'ms' }]
    } finally {
      server.stop()
    }
  },
}

export const lightSequential: Workload = {
  name: 'light-sequential',
  about: 'a light client verifies 10,000 headers one after the other; 150 validators',
  run: async ({ subject, directory, smoke }) => {
    const count = smoke ? SEQUENCE / 100 : SEQUENCE
    const latest = count + 1
    const server = await startServer({ latest, file: chainFile(directory), startTime, prepared: latest })
    try {
      const ms = await timeFor(subject, latest, { server, home: join(directory, 'home'), flags: ['--sequential'] })
      const metric = `light client, ${count.toLocaleString('en')} headers in sequence`
      return [{ metric, value: (count * 1000) / ms, unit: '/s' }] satisfies Measurement[]
    } finally {
      server.stop()
    }
  },
}
