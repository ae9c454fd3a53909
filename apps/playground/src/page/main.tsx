import { render } from 'preact'
import { App } from './app.tsx'
import { startKeyboard } from './keyboard.ts'
import { openAddress } from './live/scenario.ts'
import '@org/ui/theme'

render(<App />, document.getElementById('app') as HTMLElement)
openAddress()
startKeyboard()
globalThis.addEventListener('hashchange', openAddress)
