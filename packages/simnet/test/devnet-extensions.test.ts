import type { Application } from '@org/abci'
import { createHttpTransport, type RpcCall } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { createRpcServer } from '@org/rpc/server'
import { BlockIdFlag } from '@org/types'
import { ProposalStatus, VerifyStatus } from '@org/types/abci'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { expect, onTestFinished, test } from 'vitest'
import { createDevnet, type DevnetOptions } from '../src/devnet/index.ts'

/** The first height whose votes have extensions. */
const FROM = 4

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/**
 * An application whose vote extensions are the height as text. Above the height {@link FROM}, the first transaction of
 * each block must list the extensions of the votes for the block before. The application accepts no other block.
 */
function createVotingApp(): Application {
  let hash = ''
  return {
    extendVote: ({ height }) => {
      if (height < FROM) throw new Error(`no extension is expected at height ${height}`)
      return { voteExtension: utf8ToBytes(String(height)) }
    },
    verifyVoteExtension: ({ height, voteExtension }) => ({
      status: textOf(voteExtension) === String(height) ? VerifyStatus.accept : VerifyStatus.reject,
    }),
    prepareProposal: ({ height, txs, localLastCommit }) => {
      const signed = localLastCommit?.votes.filter(({ blockIdFlag }) => blockIdFlag === BlockIdFlag.commit) ?? []
      const list = signed.map(({ voteExtension }) => textOf(voteExtension)).join()
      return { txs: height > FROM ? [utf8ToBytes(`extensions ${list}`), ...txs] : [...txs] }
    },
    processProposal: ({ height, txs }) => {
      const isListed = new RegExp(`^extensions ${height - 1}(,${height - 1})*$`).test(
        textOf(txs[0] ?? new Uint8Array()),
      )
      return { status: height <= FROM || isListed ? ProposalStatus.accept : ProposalStatus.reject }
    },
    finalizeBlock: ({ txs }) => {
      hash = `${txs.length} ${hash.slice(0, 20)}`
      return { txResults: txs.map(() => ({ code: 0 })), appHash: utf8ToBytes(hash) }
    },
  }
}

async function start(options: Partial<DevnetOptions> = {}) {
  const abci = { voteExtensionsEnableHeight: FROM }
  const devnet = await createDevnet({ app: createVotingApp, genesis: { consensusParams: { abci } }, ...options })
  onTestFinished(devnet.stop)
  const { blocks, devnet: control } = devnet.ports
  const server = createRpcServer({ ports: devnet.ports, options: { laddr: 'tcp://127.0.0.1:0', cacheBytes: 0 } })
  const listener = await server.listen()
  onTestFinished(() => listener.stop())
  const transport = createHttpTransport((listener.addresses[0] as string).replace('tcp', 'http'))
  const call = async (method: string, params: RpcCall['params'] = {}): Promise<unknown> => {
    const [answer] = await transport.send([{ method, params }])
    if (answer !== undefined && 'result' in answer) return answer.result
    throw new Error(JSON.stringify(answer))
  }
  /** Returns the number of extensions that the block at `height` lists; 0 if it lists none. */
  function listed(height: number): number {
    const [first] = blocks.loadBlock(height)?.data.txs ?? []
    const [name, list = ''] = first === undefined ? [] : textOf(first).split(' ')
    return name === 'extensions' ? list.split(',').length : 0
  }
  const addresses = (): string[] => control.info().validators.map(({ address }) => address)
  const evidence = (): number => {
    const heights = Array.from({ length: devnet.height() }, (_, i) => i + 1)
    return heights.reduce((sum, height) => sum + (blocks.loadBlock(height)?.evidence.evidence.length ?? 0), 0)
  }
  return { devnet, control, call, listed, addresses, evidence, client: createDevnetClient(transport) }
}

test.each([1, 4])(
  'default: advance_blocks makes blocks with extensions from their height on (%i validators)',
  async (validators) => {
    const { call, devnet, listed } = await start({ validators })
    await call('advance_blocks', { num_blocks: '20' })
    expect(devnet.height()).toBe(20)
    const counts = Array.from({ length: 20 }, (_, i) => listed(i + 1))
    expect(counts.slice(0, FROM)).toEqual([0, 0, 0, 0])
    // A proposer may have seen only three of the four votes, which are enough for a block.
    for (const count of counts.slice(FROM)) expect([validators, Math.min(3, validators)]).toContain(count)
  },
)

test('default: dev_validators changes a power, and adds a validator that extends its votes', async () => {
  const { call, listed, devnet, addresses, client } = await start()
  await call('advance_blocks', { num_blocks: '6' })
  const [first = ''] = addresses()
  await call('dev_validators', { validator: first, power: '30' })
  expect(listed(devnet.height())).toBe(1)
  await client.addValidator(20)
  await call('advance_blocks', { num_blocks: '5' })
  expect(listed(devnet.height())).toBe(2)
})

test('default: cause_double_sign and a crash, before and after the height of the extensions', async () => {
  const { call, control, listed, devnet, addresses, evidence } = await start({ validators: 4 })
  const [, second = '', , fourth = ''] = addresses()
  await call('cause_double_sign', { private_key_address: second })
  expect([devnet.height() <= FROM, evidence()]).toEqual([true, 1])
  await call('advance_blocks', { num_blocks: '8' })
  await call('cause_double_sign', { private_key_address: second })
  expect(evidence()).toBe(2)
  await call('dev_crash', { validator: fourth })
  await call('advance_blocks', { num_blocks: '4' })
  expect(listed(devnet.height())).toBe(3)
  await call('dev_restart', { validator: fourth })
  await call('advance_blocks', { num_blocks: '10' })
  expect(control.info().validators.every(({ runs }) => runs)).toBe(true)
  expect(listed(devnet.height())).toBeGreaterThanOrEqual(3)
})

test('default: dev_revert goes back to a height before the extensions, and to one after it', async () => {
  const { call, listed, devnet } = await start({ validators: 4 })
  await call('advance_blocks', { num_blocks: '2' })
  const { id: early } = (await call('dev_snapshot')) as { readonly id: string }
  await call('advance_blocks', { num_blocks: '6' })
  const { id: late } = (await call('dev_snapshot')) as { readonly id: string }
  const before = bytesToHex(devnet.ports.blocks.loadBlockMeta(8)?.blockId.hash ?? new Uint8Array())
  await call('advance_blocks', { num_blocks: '5' })
  expect(await call('dev_revert', { id: late })).toEqual({ height: '8' })
  expect(bytesToHex(devnet.ports.blocks.loadBlockMeta(8)?.blockId.hash ?? new Uint8Array())).toBe(before)
  await call('advance_blocks', { num_blocks: '3' })
  expect(listed(11)).toBeGreaterThanOrEqual(3)
  expect(await call('dev_revert', { id: early })).toEqual({ height: '2' })
  await call('advance_blocks', { num_blocks: '6' })
  expect([listed(FROM), listed(FROM + 1) >= 3, listed(8) >= 3]).toEqual([0, true, true])
})

test('default: a dump of a chain with extensions is loaded, and continues', async () => {
  const { call, listed, devnet } = await start()
  await call('advance_blocks', { num_blocks: '7' })
  const { dump } = (await call('dev_dump')) as { readonly dump: string }
  const other = await start()
  expect(await other.call('dev_load', { dump })).toEqual({ height: '7' })
  await other.call('advance_blocks', { num_blocks: '2' })
  expect([listed(devnet.height()), other.listed(9)]).toEqual([1, 1])
})

test('default: a block lists what its validators signed: the signature of an extension is verified', async () => {
  const seen: number[] = []
  const app = (): Application => {
    const voting = createVotingApp()
    return {
      ...voting,
      prepareProposal: (request) => {
        for (const { extensionSignature } of request.localLastCommit?.votes ?? []) seen.push(extensionSignature.length)
        return voting.prepareProposal?.(request) ?? { txs: [] }
      },
    }
  }
  const { call } = await start({ app })
  await call('advance_blocks', { num_blocks: '8' })
  expect(seen).toEqual([0, 0, 0, 64, 64, 64, 64])
})
