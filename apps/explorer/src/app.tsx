import { switchTheme, theme } from '@org/ui/theme'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isDevnet } from './devnet/node.ts'
import { brief } from './format/bytes.ts'
import { numberText } from './format/numbers.ts'
import { headHeight, status } from './live/chain.ts'
import { connection } from './live/node.ts'
import { Banner } from './parts/banner.tsx'
import { Help } from './parts/help.tsx'
import { listenToKeys } from './parts/keyboard.ts'
import { SearchBox } from './parts/search-box.tsx'
import { linkTo, route } from './route.ts'
import { Missing } from './screens/missing.tsx'
import { DEVNET_ENTRY, MENU, screenOf } from './screens.ts'
import { screenTitle } from './title.ts'

const CONNECTIONS = { connecting: 'connecting', live: 'connected', lost: 'connection lost, trying again' } as const
const THEMES = { system: 'Auto', light: 'Light', dark: 'Dark' } as const
/**
 * Some screens have no entry in the menu. Maps each of these screens to the entry that is marked while the screen is
 * shown.
 */
const PARENTS: ReadonlyMap<string, string> = new Map([
  ['block', 'blocks'],
  ['tx', 'search'],
  ['hash', 'search'],
])

function Menu() {
  const { screen } = route.value
  const current = PARENTS.get(screen) ?? screen
  const menu = useRef<HTMLElement>(null)
  // On a phone, the menu is wider than the screen. The marked entry is scrolled into view.
  useEffect(() => {
    if (current !== '')
      menu.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current])
  return (
    <nav class="menu" aria-label="Screens" ref={menu}>
      {(isDevnet.value === true ? [...MENU, DEVNET_ENTRY] : MENU).map(([name, text]) => (
        <a key={name} href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}

/**
 * Shows the name of the chain, its height, and whether the page is connected to the node. A screen reader announces a
 * change of the connection, but not each new height.
 */
function ChainState() {
  const chain = status.value?.nodeInfo.network
  const state = CONNECTIONS[connection.value]
  return (
    <div class="chain">
      <span class={`dot ${connection.value}`} aria-hidden="true" />
      <span class="chain-name">{chain === undefined ? '' : brief(chain, 50)}</span>
      <span role="status" class={connection.value === 'live' ? 'hidden' : 'chain-state'}>
        {state}
      </span>
      <span class="height">{headHeight.value === 0 ? '' : `#${numberText(headHeight.value)}`}</span>
    </div>
  )
}

function Top({ onHelp }: { readonly onHelp: () => void }) {
  return (
    <header class="top">
      <a class="brand" href={linkTo('')}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M5 27 20 12M9 29 21 15M3 22 17 10" />
          <circle cx="21.5" cy="10.5" r="4.6" />
        </svg>
        <span>Halley</span>
      </a>
      <ChainState />
      <SearchBox />
      <div class="tools">
        <button
          type="button"
          onClick={switchTheme}
          title="Colours: system, light, dark"
          aria-label={`Colours: ${THEMES[theme.value]}`}
        >
          {THEMES[theme.value]}
        </button>
        <button type="button" onClick={onHelp} aria-label="Keyboard shortcuts" title="Keyboard shortcuts">
          ?
        </button>
      </div>
    </header>
  )
}

/** Sets the title of the tab, and moves the focus to the new screen, because the link with the focus may be gone. */
function useArrival(place: string, name: string) {
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${name} · Halley explorer`
  }, [name])
  useEffect(() => {
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    isFirst.current = false
  }, [place])
  return main
}

export function App() {
  const [isHelpOpen, setHelp] = useState(false)
  useEffect(() => listenToKeys({ toggleHelp: () => setHelp((is) => !is), switchTheme }), [])
  const { screen, id } = route.value
  const Screen = screenOf(screen) ?? Missing
  const menuName = [...MENU, DEVNET_ENTRY].find(([each]) => each === screen)?.[1]
  const main = useArrival(`${screen}/${id}`, screenTitle(route.value, menuName))
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Top onHelp={() => setHelp(true)} />
      <Menu />
      <main ref={main} tabIndex={-1}>
        <Banner />
        <Screen />
      </main>
      <Help isOpen={isHelpOpen} onClose={() => setHelp(false)} />
    </>
  )
}
