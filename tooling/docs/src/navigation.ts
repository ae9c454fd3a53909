import type { DefaultTheme } from 'vitepress'

/** The links at the top of each page. */
export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Guide', link: '/overview' },
  { text: 'Packages', link: '/packages/' },
  { text: 'Architecture', link: '/architecture' },
]

/** The links at the left of each page. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Guide',
    items: [
      { text: 'Halley on one page', link: '/overview' },
      { text: 'Examples', link: '/guide/examples' },
      { text: 'Cosmos SDK chains', link: '/guide/cosmos-sdk' },
    ],
  },
  {
    text: 'Packages',
    items: [
      { text: 'Which package?', link: '/packages/' },
      ...['node', 'kvstore', 'create-chain', 'app', 'abci', 'simnet', 'rpc', 'light'].map(packageLink),
      ...['engine', 'node-rpc', 'p2p', 'types', 'runtime'].map(packageLink),
    ],
  },
  {
    text: 'Reference',
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

function packageLink(name: string): DefaultTheme.SidebarItem {
  return { text: `@org/${name}`, link: `/packages/${name}` }
}
