import { join } from 'node:path'
import { foldersWithEntries } from '@org/build'
import type { DefaultTheme } from 'vitepress'
import { addressOf, markdownFiles } from './addresses.ts'
import { apiPage } from './api/api-pages.ts'
import { entryNames } from './api/exported-names.ts'
import { RPC_GROUPS } from './rpc/rpc-pages.ts'

/** The links at the top of each page. */
export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Guide', link: '/guide/start' },
  { text: 'Packages', link: '/packages/' },
  { text: 'RPC', link: '/reference/rpc/' },
  { text: 'API', link: '/reference/api/' },
  { text: 'Architecture', link: '/architecture' },
]

const packageLink = (name: string): DefaultTheme.SidebarItem => ({ text: `@org/${name}`, link: `/packages/${name}` })

const apiLink = (entry: string): DefaultTheme.SidebarItem => ({
  text: entry,
  link: `/${apiPage(entry).replace('.md', '')}`,
})

const rpcItems: DefaultTheme.SidebarItem[] = [
  { text: 'All operations', link: '/reference/rpc/' },
  ...Object.keys(RPC_GROUPS).map((tag) => ({ text: tag, link: `/reference/rpc/${tag.toLowerCase()}` })),
  { text: 'Types', link: '/reference/rpc/types' },
]

/** The packages in the order in which a newcomer needs them. All other packages follow. */
const FIRST_PACKAGES = ['node', 'explorer', 'create-chain', 'app', 'abci', 'kvstore', 'simnet', 'rpc', 'light'] as const

function packageLinks(root: string): DefaultTheme.SidebarItem[] {
  const pages = markdownFiles(root).flatMap((file) => /^packages\/([^/]+)\.md$/.exec(addressOf(file) ?? '')?.[1] ?? [])
  const names = pages.filter((name) => name !== 'index' && name !== 'engine-advisories').toSorted()
  const first = FIRST_PACKAGES.filter((name) => names.includes(name))
  const others = names.filter((name) => !first.some((other) => other === name))
  return [...first, ...others].map(packageLink)
}

/** Returns the links at the left of each page. `root` is the repository whose packages are in the list. */
export function sidebarOf(root: string): DefaultTheme.SidebarItem[] {
  const entries = foldersWithEntries(root).flatMap((folder) => entryNames(join(root, folder)))
  return [
    {
      text: 'Guide',
      items: [
        { text: 'Start here', link: '/guide/start' },
        { text: 'Halley on one page', link: '/overview' },
        { text: 'Applications', link: '/guide/applications' },
        { text: 'Testing', link: '/guide/testing' },
        { text: 'Devnet control', link: '/guide/devnet-control' },
        { text: 'Simulation', link: '/guide/simulation' },
        { text: 'Clients', link: '/guide/clients' },
        { text: 'Light client', link: '/guide/light-client' },
        { text: 'Examples', link: '/guide/examples' },
      ],
    },
    {
      text: 'Operation',
      items: [
        { text: 'Running a node', link: '/guide/node' },
        { text: 'Networks', link: '/guide/networks' },
        { text: 'State sync', link: '/guide/state-sync' },
        { text: 'Cosmos SDK chains', link: '/guide/cosmos-sdk' },
      ],
    },
    {
      text: 'Packages',
      collapsed: true,
      items: [{ text: 'Which package?', link: '/packages/' }, ...packageLinks(root)],
    },
    { text: 'RPC reference', collapsed: true, items: rpcItems },
    {
      text: 'API reference',
      collapsed: true,
      items: [{ text: 'All entries', link: '/reference/api/' }, ...entries.map(apiLink)],
    },
    {
      text: 'Rules and limits',
      items: [
        { text: 'Deviations from CometBFT', link: '/deviations' },
        { text: 'Limits', link: '/limits' },
        { text: 'Security', link: '/security' },
        { text: 'Advisories', link: '/packages/engine-advisories' },
        { text: 'Glossary', link: '/glossary' },
      ],
    },
    {
      text: 'Design and contributing',
      items: [
        { text: 'Architecture', link: '/architecture' },
        { text: 'Contributing', link: '/contribute/' },
        { text: 'How we write', link: '/contribute/style' },
        { text: 'Hostile input', link: '/contribute/hostile-input' },
        { text: 'Code of conduct', link: '/contribute/code-of-conduct' },
      ],
    },
  ]
}
