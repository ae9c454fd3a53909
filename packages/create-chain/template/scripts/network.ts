import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createAbciServer } from '@org/abci'
import { openLevelStorage } from '@org/app/level'
import { app } from '../src/app.ts'

// Starts four validators on this machine. Each has its own process, its own application, and its own state on disk.
// To begin a new chain, remove the folder .network. To use ports from 30000: npm run network -- 30000
const VALIDATORS = 4
const folder = resolve('.network')
const basePort = Number(process.argv[2] ?? 26656)
const halley = join('node_modules', '.bin', 'halley')

const nodes = Array.from({ length: VALIDATORS }, (_, i) => ({
  home: join(folder, `node${i}`),
  p2p: basePort + 10 * i,
  rpc: basePort + 10 * i + 1,
  abci: basePort + 10 * i + 2,
}))

if (!existsSync(folder)) {
  execFileSync(halley, ['testnet', '--v', String(VALIDATORS), '--o', folder, '--no-populate-persistent-peers'])
  const appState: unknown = JSON.parse(readFileSync('genesis.json', 'utf8'))
  for (const { home } of nodes) {
    const file = join(home, 'config', 'genesis.json')
    const genesis = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, JSON.stringify({ ...genesis, app_state: appState }, null, 2))
  }
}

const peers = nodes.map(({ home, p2p }) => {
  const id = execFileSync(halley, ['show-node-id', '--home', home], { encoding: 'utf8' }).trim()
  return `${id}@127.0.0.1:${p2p}`
})

const servers = await Promise.all(
  nodes.map(async ({ home, abci }) => {
    const storage = await openLevelStorage(join(home, 'app'))
    const application = app({ storage })
    const server = createAbciServer({ address: `tcp://127.0.0.1:${abci}`, kind: 'socket' }, { app: application })
    await server.start()
    return { stop: () => server.stop().then(() => application.close()) }
  }),
)

const processes = nodes.map(({ home, p2p, rpc, abci }, i) => {
  const flags = {
    proxy_app: `tcp://127.0.0.1:${abci}`,
    'rpc.laddr': `tcp://127.0.0.1:${rpc}`,
    'p2p.laddr': `tcp://127.0.0.1:${p2p}`,
    'p2p.persistent_peers': peers.filter((_, other) => other !== i).join(','),
    'p2p.addr_book_strict': 'false',
    'p2p.allow_duplicate_ip': 'true',
    log_level: 'error',
  }
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  return spawn(halley, ['start', '--home', home, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
})

console.log(`\n  four validators in ${folder}; stop: Ctrl-C\n`)
for (const [i, { rpc }] of nodes.entries()) console.log(`  node${i}  RPC http://127.0.0.1:${rpc}`)

const stopAll = () => {
  for (const child of processes) child.kill('SIGTERM')
}
process.once('SIGINT', stopAll)
process.once('SIGTERM', stopAll)
await Promise.all(processes.map((child) => new Promise((ended) => child.once('close', ended))))
for (const server of servers) await server.stop()
