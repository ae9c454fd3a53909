import { useEffect, useState } from 'preact/hooks'
import { visible } from './format/bytes.ts'
import { numberText } from './format/numbers.ts'
import { headHeight, status } from './live/chain.ts'
import { isDevnet } from './live/devnet.ts'
import { connection } from './live/node.ts'
import { switchTheme, theme } from './live/theme.ts'
import { Help } from './parts/help.tsx'
import { listenToKeys } from './parts/keyboard.ts'
import { SearchBox } from './parts/search-box.tsx'
import { linkTo, route } from './route.ts'
import { Missing } from './screens/missing.tsx'
import { DEVNET_ENTRY, MENU, SCREENS } from './screens.ts'

const CONNECTIONS = { connecting: 'connecting', live: 'live', lost: 'connection lost, trying again' } as const
const THEMES = { system: 'Auto', light: 'Light', dark: 'Dark' } as const

function Menu() {
  const { screen } = route.value
  return (
    <nav class="menu" aria-label="Screens">
      {(isDevnet.value === true ? [...MENU, DEVNET_ENTRY] : MENU).map(([name, text]) => (
        <a key={name} href={linkTo(name)} aria-current={name === screen ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}

function Top({ onHelp }: { readonly onHelp: () => void }) {
  const chain = status.value?.nodeInfo.network
  return (
    <header class="top">
      <a class="brand" href={linkTo('')}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M5 27 20 12M9 29 21 15M3 22 17 10" />
          <circle cx="21.5" cy="10.5" r="4.6" />
        </svg>
        <span>Halley</span>
      </a>
      <div class="chain" role="status">
        <span class={`dot ${connection.value}`} aria-hidden="true" />
        <span>
          {chain === undefined ? CONNECTIONS[connection.value] : visible(chain)}
          {chain !== undefined && connection.value !== 'live' ? ` (${CONNECTIONS[connection.value]})` : ''}
        </span>
        <span class="height">{headHeight.value === 0 ? '' : `#${numberText(headHeight.value)}`}</span>
      </div>
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
        <button type="button" onClick={onHelp} aria-label="Keys of this page">
          ?
        </button>
      </div>
    </header>
  )
}

/** The whole page. */
export function App() {
  const [isHelpOpen, setHelp] = useState(false)
  useEffect(() => listenToKeys({ toggleHelp: () => setHelp((is) => !is), switchTheme }), [])
  const { screen } = route.value
  const Screen = SCREENS[screen] ?? Missing
  const name = MENU.find(([each]) => each === screen)?.[1]
  useEffect(() => {
    document.title = `${name ?? screen} · Halley explorer`
    scrollTo(0, 0)
  }, [name, screen])
  return (
    <>
      <Top onHelp={() => setHelp(true)} />
      <Menu />
      <main>
        <Screen />
      </main>
      <Help isOpen={isHelpOpen} onClose={() => setHelp(false)} />
    </>
  )
}
