/** The way in which one code block of a package's README is tested. */
export interface Block {
  /**
   * The pattern that the output of the program must match. The program runs in the folder of its package. The pattern
   * is missing if the code block is only a part of a program.
   */
  readonly output?: RegExp
  /** True if the program does not end by itself, so that the test must stop it. */
  readonly endless?: boolean
  /**
   * Code that is put before the code block. It has declarations that the README gives in its text or in an earlier
   * block.
   */
  readonly given?: string
  /** The test file in another package that runs the code block. `package-pages.test.ts` does not run such a block. */
  readonly elsewhere?: string
}

const LIGHT_GIVEN = `import type { VerifiedClient } from '@org/light/verified'
import { createHttpTransport } from '@org/rpc/client'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
declare const url: string
declare const verified: VerifiedClient
`

const P2P_GIVEN = `import { field, type Infer, message, oneof, string, when } from '@org/types/schema'
const Hello = message('mine.Hello', { name: field(1, string) })
const Message = message('mine.Message', { sum: oneof({ hello: when(1, Hello) }) })
type Message = Infer<typeof Message>
`

/** The tests of the TypeScript code blocks of each README, in the order of the blocks. */
export const PACKAGE_PAGES: Readonly<Record<string, readonly Block[]>> = {
  'packages/abci': [{ elsewhere: 'packages/abci/test/readme.test.ts' }],
  'packages/app': [
    { elsewhere: 'packages/app/test/readme.test.ts' },
    { elsewhere: 'packages/app/test/readme.test.ts' },
    {
      given: `import type { Table } from '@org/app'
import type { VerifiedClientOptions } from '@org/light/verified'
declare const balances: Table<bigint>
declare const client: VerifiedClientOptions['client']
declare const trust: VerifiedClientOptions['trust']
declare const witnesses: VerifiedClientOptions['witnesses']
`,
    },
  ],
  'packages/engine': [
    { given: '' },
    {
      given: `import type { Engine } from '@org/engine'
declare const options: Parameters<typeof openP2p>[0]
declare const engine: Engine
declare const { clock, random, logger }: Parameters<typeof openP2p>[1]
`,
    },
    {
      given: `import type { Input } from '@org/engine/consensus'
declare const options: Parameters<typeof createMachine>[0]
declare const { chain, lastCommit, lastHeaderAppHash, publicKey, time }: Parameters<typeof createMachine>[1]
declare const { timeout }: Extract<Input, { type: 'timeout' }>
`,
    },
  ],
  'packages/light': [
    { output: /^(?:\d+ of \d+\n)*verified \d+ Uint8Array/ },
    { output: /^\d+\n$/ },
    { given: '' },
    { given: LIGHT_GIVEN },
    { output: /^verified 20\n$/ },
    { given: '' },
    { given: '' },
  ],
  'packages/node-rpc': [
    {
      given: `import type { Engine, openP2p } from '@org/engine'
import type { Clock } from '@org/runtime'
declare const engine: Engine
declare const p2p: Awaited<ReturnType<typeof openP2p>>
declare const clock: Clock
`,
    },
  ],
  'packages/p2p': [{ output: /received: hello from/ }, { given: P2P_GIVEN }],
  'packages/rpc': [
    { output: /tcp:\/\/127\.0\.0\.1:\d+/, endless: true },
    {
      given: `import type { Rpc } from '@org/rpc'
declare const rpc: Rpc
`,
    },
    { output: /^tendermint\/event\/NewBlock\n$/ },
    {
      given: `import { createRpcClient, createWebSocketTransport } from '@org/rpc/client'
declare const url: string
`,
    },
  ],
  'packages/runtime': [{ output: /^1000000000n TOO_LATE\n$/ }],
  'packages/simnet': [
    { elsewhere: 'packages/simnet/test/chain.test.ts' },
    {
      given: `import type { Chain } from '@org/simnet'
declare const chain: Chain
`,
    },
    {
      given: `import type { Application } from '@org/abci'
declare const myApp: () => Application
`,
    },
    { output: /^$/ },
  ],
  'packages/types': [{ output: /^Uint8Array[\s\S]*"signatures":/ }],
  'packages/ui': [{ given: '/// <reference lib="dom" />\n' }],
  'apps/kvstore': [{ elsewhere: 'apps/kvstore/test/readme.test.ts' }],
}
